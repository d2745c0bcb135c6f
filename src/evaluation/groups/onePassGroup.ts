import type { Runtime } from "../../engine/runtime/runtime.js";
import type { Candidate } from "../../methods/scorer.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import type { MethodName } from "../methodNames.js";
import { onePassPredictor } from "../predictors/onePass.js";
import type { Group } from "./group.js";

/** A one-pass method with all settings it might have. */
export interface OnePassMethod {
  readonly name: MethodName;
  readonly candidates: readonly Candidate[];
  readonly remarks: readonly string[];
}

/** Methods that need one pass through the same network, which is all that there is to them. */
export interface OnePassGroup extends Group {
  readonly network: InferenceNetwork;
  /** A method with the settings at a place. */
  candidate(method: MethodName, setting: number): Candidate;
}

export function onePassGroup(
  runtime: Runtime,
  network: InferenceNetwork,
  methods: readonly OnePassMethod[],
): OnePassGroup {
  const byName = new Map(methods.map((method) => [method.name, method]));
  const candidate = (method: MethodName, setting: number): Candidate => byName.get(method)!.candidates[setting]!;
  return {
    network,
    candidate,
    contenders: methods.map(({ name, candidates, remarks }) => ({
      method: name,
      settings: candidates.map(({ settings }) => settings),
      remarks,
    })),
    open: (wanted) =>
      onePassPredictor(
        runtime,
        network,
        wanted.map(({ method, setting }) => candidate(method, setting)),
      ),
  };
}
