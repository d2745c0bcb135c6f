import { stat } from "node:fs/promises";

/** Milliseconds between two looks. */
const PAUSE = 1000;

/**
 * Call back when a file has changed and then stayed as it is for one look: a file that is being copied is not read half-way. By looking at
 * size and time, which also works for files that are replaced by renaming and on network disks. Returns a function that stops it.
 */
export function watchFiles(files: readonly string[], onChange: (file: string) => void): () => void {
  const seen = new Map<string, { settled: string; last: string }>();
  const look = async (): Promise<void> => {
    for (const file of files) {
      const now = await stateOf(file);
      const before = seen.get(file);
      if (before === undefined) seen.set(file, { settled: now, last: now });
      else {
        if (now !== before.settled && now === before.last && now !== GONE) {
          before.settled = now;
          onChange(file);
        }
        before.last = now;
      }
    }
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, PAUSE).unref();
  return () => clearInterval(timer);
}

const GONE = "gone";

const stateOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
    () => GONE,
  );
