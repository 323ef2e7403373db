"""Images that the scratchpad does not hold, through windows, one after the other:
what lies in between goes through it in blocks of rows."""
import numpy as np

import elements
import layers
from program import LARGE, Skip, flag, integer, ints, size, string

SOURCES = 3


def image(program):
    """An input of which elements are -1, 0 and 1."""
    channels = program.pick((8, 16, 24, 32))
    rows = program.pick((48, 61, 80, 97, 128, 160, 250))
    columns = LARGE // (channels * rows) - program.random.randint(0, 9)
    return program.new_input([1, channels, rows, min(columns, 250)], low=-1,
                             high=1, grain=1.0)


def conv(program, x):
    """Each output is half of two elements: numbers do not grow."""
    channels, kernel = x.shape[1], program.pick((1, 3, 3, 3, 5))
    outputs = program.pick((8, 12, 16, 24, 32))
    stride = 2 if program.chance(0.15) else 1
    weights = np.zeros((outputs, channels, kernel, kernel))
    for output in range(outputs):
        for _ in range(2):
            tap = (output, *(program.random.randrange(extent)
                             for extent in (channels, kernel, kernel)))
            weights[tap] = program.pick((-0.5, 0.5))
    extents = [(extent - 1) // stride + 1 for extent in x.shape[2:]]
    pad = kernel // 2
    arguments = {"x": x.name, "weight": program.tensor(weights),
                 "strides": ints([stride] * 2), "pad_type": string("custom"),
                 "pad": ints([pad] * 4)}
    return layers.summed(program, "conv", [1, outputs, *extents], arguments, x,
                         (weights, 0.5), None, 0, [x])


def pool(program, x):
    kernel = program.pick((2, 3, 3, 5))
    arguments = {"x": x.name, "kernel_sizes": ints([kernel] * 2),
                 "strides": ints([1, 1]), "pad_type": string("same")}
    return program.emit("max_pool", x.shape, arguments, x.low, x.high, x.grain,
                        x.error, uses=[x])


def relu(program, x):
    return program.emit("relu", x.shape, {"x": x.name}, 0, max(x.high, 0),
                        x.grain, x.error, uses=[x])


def others(program, x, dims):
    return [value for value in program.values if value is not x
            and [value.shape[dim] for dim in dims] == [x.shape[dim]
                                                       for dim in dims]]


def largest(program, x):
    y = program.pick(others(program, x, range(4)))
    return program.emit("maximum", x.shape, {"x": x.name, "y": y.name},
                        max(x.low, y.low), max(x.high, y.high),
                        elements.grains(x.grain, y.grain),
                        max(x.error, y.error), uses=[x, y])


def total(program, x):
    y = program.pick(others(program, x, range(4)))
    return program.emit("add", x.shape, {"x": x.name, "y": y.name},
                        x.low + y.low, x.high + y.high,
                        elements.grains(x.grain, y.grain),
                        x.error + y.error, uses=[x, y])


def concat(program, x):
    y = program.pick(others(program, x, (2, 3)))
    shape = [1, x.shape[1] + y.shape[1], *x.shape[2:]]
    return program.emit("concat", shape,
                        {"values": f"({x.name}, {y.name})", "axis": integer(1),
                         "interleave": flag(False)},
                        min(x.low, y.low), max(x.high, y.high),
                        elements.grains(x.grain, y.grain),
                        max(x.error, y.error), uses=[x, y])


LAYERS = [(conv, 50), (pool, 8), (relu, 12), (largest, 8), (total, 8),
          (concat, 14)]


def build(program):
    """Fills a program with one chain, or one that branches."""
    program.max_elements = 3 * LARGE
    image(program)
    functions, weights = zip(*LAYERS)
    for _ in range(program.random.randint(3, 11)):
        x = program.pick(program.values[-SOURCES:])
        try:
            program.random.choices(functions, weights)[0](program, x)
        except Skip:
            pass
    assert all(size(value.shape) <= program.max_elements
               for value in program.values)
