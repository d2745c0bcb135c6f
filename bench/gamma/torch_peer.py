"""A step of the second stage in PyTorch, as a timing peer: one JSON command a line in, one JSON answer a line out.

{"cmd": "init", "threads": 1, "batch": 4, "height": 128, "width": 256, "profile": "paper"} -> {}
{"cmd": "step", "count": 2} -> {"seconds": [...], "loss": 3.1}
{"cmd": "memory"} -> {"bytes": 930000000}
{"cmd": "quit"} -> {}

The mathematics is that of the fixtures' gamma_step.py; what it spells out pixel by pixel is done here by whole tensors.
"""

import json
import re
import sys
from pathlib import Path
from time import perf_counter

import torch
from torch.nn import functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "fixtures" / "torch"))

import gamma_step  # noqa: E402
from deeplab import VOID, keyed_init  # noqa: E402
from gamma_step import GammaNetwork, Stage  # noqa: E402
from keyed import keyed_labels, keyed_uniform  # noqa: E402

CLASSES = 19
THINGS = [5, 6, 7, *range(11, 19)]
ALL = {"supervised": 1.0, "consistency": 1.0, "uniformity": 1.0, "prototype": 1.0}
PROFILES = {
    "paper": {"score": "cosine", "frozen": False, "reuse": False, "weights": ALL},
    "small": {
        "score": "softmax",
        "frozen": True,
        "reuse": True,
        "weights": {**ALL, "uniformity": 0.05, "prototype": 0.05, "prototypeSupervision": 1.0},
    },
}
# Channels of the features, and stages of the encoder.
NETWORKS = {"paper": (256, 4), "small": (128, 3)}
STEM = ("encoder.conv1.", "encoder.bn1.", "encoder.layer1.")


def label_cells(labels, classes, things, side=4):
    weights = torch.tensor([10.0 if k in things else 1.0 for k in range(classes)] + [1.0])
    slots = F.one_hot(labels.clamp(max=classes), classes + 1).permute(0, 3, 1, 2).float()
    cells = (F.avg_pool2d(slots, side) * weights[None, :, None, None]).argmax(1)
    return torch.where(cells == classes, torch.tensor(VOID), cells)


def prototypes_of(embeddings, cells, history):
    classes = history.shape[1]
    slots = F.one_hot(cells.clamp(max=classes), classes + 1)[..., :classes].to(embeddings.dtype)
    sums = torch.einsum("nfhw,nhwk->fk", embeddings, slots)
    present = slots.sum((0, 1, 2)) > 0
    seen = present | (history.norm(dim=0) > 0.5)
    return torch.where(present, F.normalize(sums, dim=0), history), seen


gamma_step.label_cells, gamma_step.prototypes_of = label_cells, prototypes_of


class Training:
    def __init__(self, batch, height, width, profile):
        features, stages = NETWORKS[profile]
        self.network = keyed_init(GammaNetwork(CLASSES, 1, features, stages))
        self.teacher = keyed_init(GammaNetwork(CLASSES, 1, features, stages)) if profile == "small" else None
        if profile == "small":  # its first layers are frozen
            for name, parameter in self.network.named_parameters():
                parameter.requires_grad_(not name.startswith(STEM))
        self.stage = Stage(self.network, self.teacher, classes=CLASSES, things=THINGS, **PROFILES[profile])
        self.learning = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        self.optimizer = torch.optim.AdamW(self.learning, lr=1e-6, weight_decay=0)
        shape = (batch, height, width)
        images = {name: torch.from_numpy(keyed_uniform(name, (batch, 3, height, width), -2, 2)) for name in ("source.images", "prototype.images", "target.first", "target.second")}
        labels = {f"{name}.labels": torch.from_numpy(keyed_labels(name, shape, CLASSES).copy()) for name in ("source", "prototype")}
        whole, part = [0, 0, height, width], [height // 8, width // 8, height // 2, width // 2]
        self.batch = {
            **images,
            **labels,
            "target.valid": torch.ones(shape, dtype=torch.bool),
            "first.boxes": [whole, part] * (batch // 2),
            "second.boxes": [part, whole] * (batch // 2),
        }
        self.history = torch.zeros(features, CLASSES)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        losses, _, self.history = self.stage.losses(self.batch, self.history)
        total = self.stage.total(losses)
        total.backward()
        if self.teacher is not None:
            with torch.no_grad():
                for mean, now in zip(self.teacher.parameters(), self.network.parameters()):
                    if now.requires_grad:
                        mean.mul_(0.999).add_(now, alpha=0.001)
        self.optimizer.step()
        return total.item()


def main():
    training = None
    for line in sys.stdin:
        request = json.loads(line)
        name = request.pop("cmd")
        answer = {}
        if name == "init":
            torch.set_num_threads(request.pop("threads"))
            training = Training(**request)
        elif name == "step":
            seconds = []
            for _ in range(request["count"]):
                start = perf_counter()
                loss = training.step()
                seconds.append(perf_counter() - start)
            answer = {"seconds": seconds, "loss": loss}
        elif name == "memory":
            status = Path("/proc/self/status").read_text()
            answer = {"bytes": int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024}
        print(json.dumps(answer), flush=True)
        if name == "quit":
            break


if __name__ == "__main__":
    main()
