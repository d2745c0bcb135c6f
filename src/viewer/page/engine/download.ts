/// <reference lib="dom" />
import { UserError } from "../../../platform/errors.js";

export interface Wanted {
  readonly address: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Times that a broken download is taken up again before it is given up. */
const TRIES = 4;

/**
 * The bytes of a file whose length and sha256 are known. A connection that breaks is taken up where it broke, if the server can do that, or
 * from the start. Without a secure context browsers have no sha256, and only the length is checked.
 */
export async function download(
  { address, bytes, sha256 }: Wanted,
  onProgress: (received: number) => void,
  fetcher: typeof fetch = fetch,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(bytes);
  let received = 0;
  for (let attempt = 1; received < bytes; attempt++) {
    try {
      const resume = received > 0;
      const response = await fetcher(address, resume ? { headers: { range: `bytes=${received}-` } } : {});
      if (!response.ok || response.body === null) throw refused(address, `the server answered ${response.status}`);
      if (resume && response.status !== 206) received = 0;
      for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        if (received + value.length > bytes) throw refused(address, `is longer than the ${bytes} bytes it should have`);
        whole.set(value, received);
        received += value.length;
        onProgress(received);
      }
      if (received < bytes) throw new Error(`it ended after ${received} of ${bytes} bytes`);
    } catch (error) {
      if (error instanceof UserError) throw error;
      if (attempt >= TRIES) throw refused(address, `could not be loaded: ${(error as Error).message}`);
    }
  }
  await requireDigest(whole, address, sha256);
  return whole;
}

async function requireDigest(bytes: Uint8Array<ArrayBuffer>, address: string, wanted: string): Promise<void> {
  if (!globalThis.isSecureContext && globalThis.crypto?.subtle === undefined) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== wanted) throw refused(address, `has the sha256 ${found.slice(0, 12)}…, wanted ${wanted.slice(0, 12)}…`);
}

const refused = (address: string, why: string): UserError =>
  new UserError(`${address.split("/").at(-1)} ${why}`, { hint: "reload the page to try again", code: "not-a-model" });
