/** The command as it could be typed again: words with anything unusual in them are quoted for a shell. */
export function commandLine(words: readonly string[] = process.argv.slice(2)): string {
  const quoted = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return ["gssl", ...quoted].join(" ");
}
