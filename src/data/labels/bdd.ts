import { cityscapes19, cityscapesTrainIds } from "./cityscapes.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";
import { coloursOf, type LabelTable } from "./labelTable.js";

/** BDD10k's `<id>_train_id.png` and `sem_seg/masks/<id>.png`: Cityscapes train ids, 255 for the rest. */
export const bddTrainIds: Labelling = cityscapesTrainIds;

/**
 * The 41 labels behind BDD10k. Only their colours are published per pixel, in `color_labels` and `sem_seg/colormaps`.
 * https://github.com/bdd100k/bdd100k/blob/master/bdd100k/label/label.py
 *
 * Colours tell more than train ids do: billboards, cones and caravans come out as unknown, not as void. A parking sign has
 * the colour of a person, and is read as one.
 */
const table: LabelTable = [
  [0, "unlabeled", [0, 0, 0], VOID_LABEL],
  [1, "dynamic", [111, 74, 0], VOID_LABEL],
  [2, "ego vehicle", [0, 0, 0], VOID_LABEL],
  [3, "ground", [81, 0, 81], VOID_LABEL],
  [4, "static", [0, 0, 0], VOID_LABEL],
  [5, "parking", [250, 170, 160], UNKNOWN_LABEL],
  [6, "rail track", [230, 150, 140], UNKNOWN_LABEL],
  [7, "road", [128, 64, 128], 0],
  [8, "sidewalk", [244, 35, 232], 1],
  [9, "bridge", [150, 100, 100], UNKNOWN_LABEL],
  [10, "building", [70, 70, 70], 2],
  [11, "fence", [190, 153, 153], 4],
  [12, "garage", [180, 100, 180], UNKNOWN_LABEL],
  [13, "guard rail", [180, 165, 180], UNKNOWN_LABEL],
  [14, "tunnel", [150, 120, 90], UNKNOWN_LABEL],
  [15, "wall", [102, 102, 156], 3],
  [16, "banner", [250, 170, 100], UNKNOWN_LABEL],
  [17, "billboard", [220, 220, 250], UNKNOWN_LABEL],
  [18, "lane divider", [255, 165, 0], UNKNOWN_LABEL],
  [19, "parking sign", [220, 20, 60], UNKNOWN_LABEL],
  [20, "pole", [153, 153, 153], 5],
  [21, "polegroup", [153, 153, 153], VOID_LABEL],
  [22, "street light", [220, 220, 100], UNKNOWN_LABEL],
  [23, "traffic cone", [255, 70, 0], UNKNOWN_LABEL],
  [24, "traffic device", [220, 220, 220], UNKNOWN_LABEL],
  [25, "traffic light", [250, 170, 30], 6],
  [26, "traffic sign", [220, 220, 0], 7],
  [27, "traffic sign frame", [250, 170, 250], UNKNOWN_LABEL],
  [28, "terrain", [152, 251, 152], 9],
  [29, "vegetation", [107, 142, 35], 8],
  [30, "sky", [70, 130, 180], 10],
  [31, "person", [220, 20, 60], 11],
  [32, "rider", [255, 0, 0], 12],
  [33, "bicycle", [119, 11, 32], 18],
  [34, "bus", [0, 60, 100], 15],
  [35, "car", [0, 0, 142], 13],
  [36, "caravan", [0, 0, 90], UNKNOWN_LABEL],
  [37, "motorcycle", [0, 0, 230], 17],
  [38, "trailer", [0, 0, 110], UNKNOWN_LABEL],
  [39, "train", [0, 80, 100], 16],
  [40, "truck", [0, 0, 70], 14],
];

export const bddColours: Labelling = { classes: cityscapes19, rule: { kind: "colours", meaning: coloursOf(table) } };
