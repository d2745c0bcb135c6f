import type { OnePassKin } from "../../evaluation/groups/openGroup.js";
import { type Kin, kinOf, type MethodName } from "../../evaluation/methodNames.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";

/** Why methods of a kind do not fit one pass of one network. */
const obstacles: Record<Exclude<Kin, OnePassKin>, string> & Partial<Record<Kin, string>> = {
  ensemble: "it asks several networks",
  "mc-dropout": "it takes several passes, with dropout on",
  adversarial: "it needs a gradient with respect to the image, and a second pass",
};

/** NoSSL is the model of γ-SSL with other weights: it has prototypes, and can have a γ. */
const obstacleOf = (name: MethodName): string | undefined =>
  name === "no-ssl"
    ? "it is gamma-ssl with the weights of the first stage (gssl export RUN --weights 1-pretraining --threshold FILE)"
    : obstacles[kinOf[name]];

type OnePass = { [Name in MethodName]: (typeof kinOf)[Name] extends OnePassKin ? Name : never }[MethodName];
export type Exportable = Exclude<OnePass, "no-ssl">;
/** Everything but our own method. */
export type ExportableBaseline = Exclude<Exportable, "gamma-ssl">;

const isExportable = (name: MethodName): name is Exportable => obstacleOf(name) === undefined;
const names = Object.keys(kinOf) as MethodName[];

/** The methods that a single model can compute. */
export const exportable: readonly Exportable[] = names.filter(isExportable);

/** The method that was asked for, or why there is no model of it. */
export function exportableMethod(asked: string): Exportable {
  const hint = `exportable: ${exportable.join(", ")}`;
  const name = names.find((one) => one === asked);
  if (name === undefined) throw new UserError(`there is no method "${printable(asked)}"`, { hint });
  if (isExportable(name)) return name;
  throw new UserError(
    `"${name}" cannot be exported: ${obstacleOf(name)}; an exported baseline is one pass of one network, without a gradient`,
    { hint },
  );
}
