#!/usr/bin/python3
"""Compares runs of a container and of its loaded images: images.py ANE-RUN FOLDER

FOLDER has m.hwx over x and y, which are x.npy and y.npy of the current folder.
"""
import os
import subprocess
import sys

runner, folder = sys.argv[1:]


def run(model, output, *options):
    tensors = ["--input", "x=x.npy", "--input", "y=y.npy", "--output", "z=" + output]
    subprocess.run([runner, model, *tensors, *options], check=True)
    return open(output, "rb").read()


def path(name):
    return os.path.join(folder, name)


container = open(path("m.hwx"), "rb").read()
result = run(path("m.hwx"), path("z.npy"), "--dump-loaded", path("one.hwx"))
image = open(path("one.hwx"), "rb").read()
assert len(image) == len(container) and image != container
assert run(path("one.hwx"), path("one.npy"), "--dump-loaded", path("two.hwx")) == result
assert open(path("two.hwx"), "rb").read() == image
for name in ["one.e5", "two.e5"]:
    assert os.path.exists(path(name))

# Another address, and no descriptor.
options = ["--load-address", "0x70000000"]
assert run(path("m.hwx"), path("far.npy"), "--dump-loaded", path("far.hwx"), *options) == result
assert open(path("far.hwx"), "rb").read() != image
os.remove(path("far.e5"))
assert run(path("far.hwx"), path("alone.npy")) == result
