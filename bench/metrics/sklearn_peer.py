"""roc_auc_score and average_precision_score of u.f32 (uncertainty) and v.u8 (1 right, 0 wrong) in a folder, timed."""

import json
import sys
import time
from pathlib import Path

import numpy
from sklearn.metrics import average_precision_score, roc_auc_score

folder = Path(sys.argv[1])
uncertainty = numpy.fromfile(folder / "u.f32", numpy.float32)
right = numpy.fromfile(folder / "v.u8", numpy.uint8)
started = time.perf_counter()
auroc = roc_auc_score(right, -uncertainty)
ap = average_precision_score(right, -uncertainty)
print(json.dumps({"seconds": time.perf_counter() - started, "auroc": auroc, "ap": ap}))
