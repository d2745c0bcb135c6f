/** Text for HTML and SVG, between tags or in quoted attributes. Control characters, which XML forbids, become spaces. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/\p{Cc}/gu, " ");

/** JSON for a script element of type application/json: nothing in it can end the element. */
export const embeddedJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
