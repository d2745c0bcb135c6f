/**
 * The 19 Cityscapes training classes, in the order of their train ids, with the colours everybody draws them in.
 * https://github.com/mcordts/cityscapesScripts/blob/master/cityscapesscripts/helpers/labels.py
 */
export const classes = [
  { name: "road", colour: [128, 64, 128] },
  { name: "sidewalk", colour: [244, 35, 232] },
  { name: "building", colour: [70, 70, 70] },
  { name: "wall", colour: [102, 102, 156] },
  { name: "fence", colour: [190, 153, 153] },
  { name: "pole", colour: [153, 153, 153] },
  { name: "traffic light", colour: [250, 170, 30] },
  { name: "traffic sign", colour: [220, 220, 0] },
  { name: "vegetation", colour: [107, 142, 35] },
  { name: "terrain", colour: [152, 251, 152] },
  { name: "sky", colour: [70, 130, 180] },
  { name: "person", colour: [220, 20, 60] },
  { name: "rider", colour: [255, 0, 0] },
  { name: "car", colour: [0, 0, 142] },
  { name: "truck", colour: [0, 0, 70] },
  { name: "bus", colour: [0, 60, 100] },
  { name: "train", colour: [0, 80, 100] },
  { name: "motorcycle", colour: [0, 0, 230] },
  { name: "bicycle", colour: [119, 11, 32] },
] as const satisfies readonly { name: string; colour: readonly [number, number, number] }[];

export type ClassName = (typeof classes)[number]["name"] | "unknown";

/** Something the labelled city has no class for: whatever is predicted here is wrong. */
export const UNKNOWN_LABEL = 19;

const idOf = new Map<string, number>([
  ...classes.map(({ name }, id) => [name, id] as const),
  ["unknown", UNKNOWN_LABEL],
]);

/** Train id of a class, 19 for "unknown". */
export function classId(name: ClassName): number {
  return idOf.get(name)!;
}

/** Name of a train id, "unknown" for 19. */
export function className(id: number): ClassName {
  return classes[id]?.name ?? "unknown";
}
