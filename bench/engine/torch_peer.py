"""PyTorch as a timing peer: one JSON command a line in, one JSON answer a line out.

The parent sets OMP_NUM_THREADS and OPENBLAS_NUM_THREADS before starting us (without them a second thread may
join in quietly) and decides how many steps are warm-up. Commands, with their answers:

{"cmd": "init", "threads": 1, "batch": 8, "height": 128, "width": 256, "classes": 19, "optimizer": "sgd"}
    -> {"parameters": 12333923}          also: "adamw"; "outputStride": 8, default 16
{"cmd": "step", "count": 5} -> {"seconds": [...], "loss": 3.1}     the loss before the last update
{"cmd": "op", "name": "conv2d", "attrs": {"padding": [1, 1]}, "shapes": {"x": [...], "w": [...]}, "repeat": 10}
    -> {"forward": {"best": 0.01, "all": [...]}, "both": {"best": 0.03, "all": [...]}}
    both: forward and backward; also: "threads", default 1; attributes and inputs as in reference_ops.py
{"cmd": "memory"} -> {"bytes": 930000000}     the peak so far
{"cmd": "quit"} -> {}
"""

import json
import re
import sys
from pathlib import Path
from time import perf_counter

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "fixtures" / "torch"))

from deeplab import VOID, DeepLab, cross_entropy, keyed_batch, keyed_init  # noqa: E402
from keyed import keyed_labels, keyed_uniform  # noqa: E402
from optimizers import OPTIMIZERS, USUAL_RATES  # noqa: E402
from reference_ops import OPS  # noqa: E402

TIMED_OPS = ("conv2d", "batch_norm", "relu", "max_pool", "resize", "cross_entropy", "l2_normalize")
NO_GRADIENT = ("labels", "mean", "variance")


class Training:
    """The network of the fixtures, dropout off, and one keyed batch."""

    def __init__(self, batch, height, width, classes, optimizer, outputStride=16):
        self.model = keyed_init(DeepLab(classes, outputStride)).train()
        self.images, self.labels = keyed_batch(batch, height, width, classes)
        self.optimizer = OPTIMIZERS[optimizer](self.model.parameters(), USUAL_RATES[optimizer])

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = cross_entropy(self.model(self.images), self.labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def seconds_of(function, repeat):
    seconds = []
    for _ in range(repeat):
        start = perf_counter()
        function()
        seconds.append(perf_counter() - start)
    return seconds


def op_input(name, shape, shapes):
    if name == "labels":
        return torch.from_numpy(keyed_labels("labels", shape, shapes["logits"][1], VOID))
    low, high = (0.5, 2) if name == "variance" else (-1, 1)
    return torch.from_numpy(keyed_uniform(name, shape, low, high)).requires_grad_(name not in NO_GRADIENT)


def time_op(name, shapes, attrs, repeat):
    if name not in TIMED_OPS:
        raise ValueError(f'op: unknown name "{name}", known: {", ".join(TIMED_OPS)}')
    inputs = {key: op_input(key, shape, shapes) for key, shape in shapes.items()}
    wrt = [value for value in inputs.values() if value.requires_grad]
    dy = torch.from_numpy(keyed_uniform("dy", OPS[name](**inputs, **attrs).shape, -1, 1))

    def forward():
        with torch.no_grad():
            OPS[name](**inputs, **attrs)

    def both():
        torch.autograd.grad(OPS[name](**inputs, **attrs), wrt, dy)

    answer = {}
    for key, function in {"forward": forward, "both": both}.items():
        function()  # warm up
        seconds = seconds_of(function, repeat)
        answer[key] = {"best": min(seconds), "all": seconds}
    return answer


def peak_memory():
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


class Peer:
    def __init__(self):
        self.training = None

    def init(self, threads, **plan):
        torch.set_num_threads(threads)
        self.training = Training(**plan)
        return {"parameters": sum(p.numel() for p in self.training.model.parameters())}

    def step(self, count):
        if self.training is None:
            raise ValueError('step: no network yet, send "init" first')
        losses = []
        seconds = seconds_of(lambda: losses.append(self.training.step()), count)
        return {"seconds": seconds, "loss": losses[-1]}

    def op(self, name, shapes, repeat, attrs=None, threads=1):
        torch.set_num_threads(threads)
        return time_op(name, shapes, attrs or {}, repeat)

    def memory(self):
        return {"bytes": peak_memory()}


def main():
    peer = Peer()
    commands = {"init": peer.init, "step": peer.step, "op": peer.op, "memory": peer.memory, "quit": dict}
    for line in sys.stdin:
        name = None
        try:
            request = json.loads(line)
            name = request.pop("cmd")
            answer = commands[name](**request)
        except Exception as error:  # the parent shows it; a bad command must not end the conversation
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
        if name == "quit":
            break


if __name__ == "__main__":
    main()
