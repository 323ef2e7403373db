"""usage: run-embed.py EMBED ANE_RUN EDGES.mil

Compiles the program with examples/embed, whose pass makes relu6 of relu, and
runs the container: what is more than 6 elsewhere is 6 here.
"""

import subprocess
import sys

import numpy

embed, ane_run, program = sys.argv[1:]
layers = subprocess.run(
    [embed, program, "edges.hwx"], check=True, stdout=subprocess.PIPE, text=True
).stdout
print(layers)
assert layers.count("layer: ") == 1 and "zin.conv" in layers, "not one layer"

x = numpy.zeros((1, 1, 4, 6), numpy.float16)
x[0, 0, 1, 2] = 1
x[0, 0, 2, 4] = 100
numpy.save("x.npy", x)
subprocess.run(
    [ane_run, "edges.hwx", "--input", "x=x.npy", "--output", "y=y.npy"], check=True
)
y = numpy.load("y.npy")
expected = numpy.zeros_like(x)
expected[0, 0, 1, 2] = 4
expected[0, 0, 2, 4] = 6
assert numpy.array_equal(y, expected), y
