/** The label of a pixel that has none: data sets write it, losses leave it out, and it is scored only if the policy says so. */
export const VOID_LABEL = 255;
