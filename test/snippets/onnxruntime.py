"""The part of onnxruntime that the documents use, computed by onnxruntime-node: for machines without the Python package."""

import json
import os
import subprocess
from types import SimpleNamespace

import numpy

COMMAND = [os.environ["NODE"], os.path.join(os.path.dirname(__file__), "answer.mjs")]


class InferenceSession:
    def __init__(self, file):
        self.file = file

    def get_modelmeta(self):
        said = subprocess.run([*COMMAND, self.file, "metadata"], check=True, capture_output=True).stdout
        return SimpleNamespace(custom_metadata_map=json.loads(said))

    def run(self, outputs, feeds):
        (name,) = feeds
        image = feeds[name]
        if name != "image" or image.dtype != numpy.uint8:
            raise TypeError(f"{name} is {image.dtype}")
        asked = json.dumps({"shape": image.shape, "outputs": outputs}).encode()
        given = asked + b"\n" + numpy.ascontiguousarray(image).tobytes()
        left = subprocess.run([*COMMAND, self.file], input=given, check=True, capture_output=True).stdout
        found = []
        for _ in outputs:
            line, left = left.split(b"\n", 1)
            about = json.loads(line)
            kind = numpy.dtype(about["type"])
            size = int(numpy.prod(about["shape"])) * kind.itemsize
            found.append(numpy.frombuffer(left[:size], kind).reshape(about["shape"]))
            left = left[size:]
        return found
