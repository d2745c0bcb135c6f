/**
 * Text that is safe to print: names from files may hold escape sequences that move the cursor, retitle the window or hide
 * lines. Control characters, line ends among them, and direction marks appear as `\x1b` or `\u202e`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0)!;
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A word as it is typed in a shell: quoted where anything in it is unusual. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
