import type { AdversarialMethod, Method, OnePassMethod } from "./parts/method.js";

/** How a baseline of one pass is spelled that uses the network after adaptation: "max-softmax@adapted". */
export const ADAPTED = "@adapted";

/** The name of the baseline that a variant is of; any other name as it is. */
export const baseOf = (name: string): string => (name.endsWith(ADAPTED) ? name.slice(0, -ADAPTED.length) : name);

const known = new WeakMap<Method, Method>();

/**
 * A baseline of the network before adaptation (T-2), on the network after it: what the head of the adapted network knows, beside
 * γ-SSL's prototypes. Null for methods with networks of their own, and for prototypes, of which `gamma-ssl` are those after adaptation.
 */
export function onAdapted(method: Method): Method | null {
  if (method.network !== "source" || (method.kind !== "one-pass" && method.kind !== "adversarial")) return null;
  const found = known.get(method) ?? variantOf(method);
  known.set(method, found);
  return found;
}

function variantOf<M extends OnePassMethod | AdversarialMethod>(method: M): M {
  const { quick: _, aliases: __, ...rest } = method;
  const variant = {
    ...rest,
    name: `${method.name}${ADAPTED}`,
    title: `${method.title}, adapted network`,
    // No row of the paper: the mean of its families is without it.
    family: "further",
    network: "adapted",
    onRequest: true,
    ...(method.kind === "adversarial" && { basis: variantOf(method.basis) }),
  } as const;
  return variant as unknown as M;
}
