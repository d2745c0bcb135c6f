import { extname, join } from "node:path";
import { UserError } from "./errors.js";

/** Where a file goes that is asked for by a folder or by its own path, which has the ending of `name`: its name where none is given. */
export function fileIn(to: string, name: string): string {
  const [given, wanted] = [extname(to), extname(name)];
  if (given === wanted) return to;
  if (!/^\.[a-z]+$/i.test(given)) return join(to, name);
  throw new UserError(`"${to}": wanted a folder, or a file that ends in ${wanted}`, { code: "bad-option" });
}
