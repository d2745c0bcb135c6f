import { cityscapes19 } from "./cityscapes.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";

/**
 * The 34 labels of the SAX test sets (London, New Forest, Scotland) and their Cityscapes train ids. The id is the place in
 * this list, which is alphabetical. The authors score `Void` and `Ego_Car` like unknown things; here they are void, so
 * that the policy can tell them apart (requirements D-3, D-4). There are no trains.
 */
const labels: readonly (readonly [string, number])[] = [
  ["Animal", UNKNOWN_LABEL],
  ["Bench", UNKNOWN_LABEL],
  ["Bicycle", 18],
  ["Bin", UNKNOWN_LABEL],
  ["Building", 2],
  ["Bus", 15],
  ["Bus Stop", UNKNOWN_LABEL],
  ["Car", 13],
  ["Construction", UNKNOWN_LABEL],
  ["Ego_Car", VOID_LABEL],
  ["Fence", 4],
  ["Guard Rail", UNKNOWN_LABEL],
  ["Lorry", 14],
  ["Motorcycle", 17],
  ["Pavement", 1],
  ["Pedestrian", 11],
  ["Pole", 5],
  ["Post Box", UNKNOWN_LABEL],
  ["Pushchair", UNKNOWN_LABEL],
  ["RS_Water", UNKNOWN_LABEL],
  ["Rider", 12],
  ["Road", 0],
  ["Sign", 7],
  ["Sky", 10],
  ["Taxi", 13],
  ["Telephone Box", UNKNOWN_LABEL],
  ["Terrain", 9],
  ["Traffic Cone", UNKNOWN_LABEL],
  ["Traffic Light", 6],
  ["Van", 13],
  ["Vegetation", 8],
  ["Vehicle(utility)", UNKNOWN_LABEL],
  ["Void", VOID_LABEL],
  ["Wall", 3],
];

/** Names of the SAX labels, in the order of their ids. */
export const saxNames: readonly string[] = labels.map(([name]) => name);

export const saxIds: Labelling = {
  classes: cityscapes19,
  rule: { kind: "ids", meaning: Object.fromEntries(labels.map(([, meaning], id) => [id, meaning])) },
};
