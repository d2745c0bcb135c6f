"""The deployed network in eager PyTorch, as a timing peer: one JSON command a line in, one JSON answer a line out.

{"cmd": "init", "threads": 1, "height": 480, "width": 960, "profile": "paper"} -> {}
{"cmd": "run"} -> {"seconds": 0.9, "processor": 0.9, "similarity": 0.31}
{"cmd": "quit"} -> {}

From bytes [1, H, W, 3] to class, similarity and certain at full size, as one would write it. Sizes must suit the network.
"""

import json
import sys
from pathlib import Path
from time import perf_counter, process_time

import torch
from torch.nn import functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "fixtures" / "torch"))

from deeplab import keyed_init, upsample  # noqa: E402
from gamma_step import TEMPERATURE, GammaNetwork  # noqa: E402
from keyed import keyed_uint32, keyed_uniform  # noqa: E402

CLASSES, GAMMA = 19, 0.5
# Channels of the features, stages of the encoder, and what γ is compared with: the nearest cosine, or its softmax.
PROFILES = {"paper": (256, 4, "cosine"), "small": (128, 3, "softmax")}
MEAN = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
DEVIATION = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)


class Deployed:
    def __init__(self, height, width, profile):
        features, stages, self.score = PROFILES[profile]
        self.network = keyed_init(GammaNetwork(CLASSES, 1, features, stages)).eval()
        prototypes = torch.from_numpy(keyed_uniform("prototypes", (features, CLASSES), -1, 1))
        self.prototypes = F.normalize(prototypes, dim=0).t().reshape(CLASSES, features, 1, 1).contiguous()
        pixels = keyed_uint32("image", height * width * 3) >> 24
        self.image = torch.from_numpy(pixels.astype("uint8")).view(1, height, width, 3)

    @torch.inference_mode()
    def run(self):
        images = (self.image.permute(0, 3, 1, 2).float() / 255 - MEAN) / DEVIATION
        features = self.network.features(images)
        embeddings = self.network.projection(features)
        scores = upsample(F.conv2d(embeddings, self.prototypes), 4)
        if self.score == "softmax":
            scores = torch.softmax(scores / TEMPERATURE, dim=1)
        similarity, classes = scores.max(dim=1)
        return classes.to(torch.uint8), similarity, (similarity >= GAMMA).to(torch.uint8)


def main():
    deployed = None
    for line in sys.stdin:
        request = json.loads(line)
        name = request.pop("cmd")
        answer = {}
        if name == "init":
            torch.set_num_threads(request.pop("threads"))
            deployed = Deployed(**request)
        elif name == "run":
            start, used = perf_counter(), process_time()
            _, similarity, _ = deployed.run()
            seconds, processor = perf_counter() - start, process_time() - used
            answer = {"seconds": seconds, "processor": processor, "similarity": similarity.mean().item()}
        print(json.dumps(answer), flush=True)
        if name == "quit":
            break


if __name__ == "__main__":
    main()
