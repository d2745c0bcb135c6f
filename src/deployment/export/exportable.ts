import type { Method, OnePassMethod, PrototypeMethod } from "../../methods/parts/method.js";
import { methodNamed, methods } from "../../methods/registry.js";
import { UserError } from "../../platform/errors.js";

/** A method that a single model can compute. γ-SSL has a model of its own; the others are baselines. */
export type Exportable = OnePassMethod | PrototypeMethod;

const isExportable = (method: Method): method is Exportable =>
  method.obstacle === undefined && (method.kind === "one-pass" || method.kind === "prototypes");

/** The methods that a single model can compute. */
export const exportableMethods = (among: readonly Method[] = methods): Exportable[] => among.filter(isExportable);

/** The method that was asked for, or why there is no model of it. */
export function exportableMethod(asked: string, among: readonly Method[] = methods): Exportable {
  const method = methodNamed(asked, among);
  if (isExportable(method)) return method;
  const names = exportableMethods(among).map(({ name }) => name);
  throw new UserError(
    `"${method.name}" cannot be exported: ${method.obstacle}; an exported baseline is one pass of one network, without a gradient`,
    { hint: `exportable: ${names.join(", ")}` },
  );
}
