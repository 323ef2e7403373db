"""Images, and signals, that the scratchpad does not hold, through windows, one
after the other: what lies in between goes through it in blocks of rows, or in
bands of columns."""
import numpy as np

import elements
import layers
from program import LARGE, Skip, flag, integer, ints, size, string

SOURCES = 3


def image(program):
    """An input of which elements are -1, 0 and 1."""
    channels = program.pick((8, 16, 24, 32, 64))
    rows = program.pick((48, 61, 80, 97, 128, 160, 200, 250))
    count = program.pick((LARGE, 2 * LARGE))
    columns = count // (channels * rows) - program.random.randint(0, 9)
    return program.new_input([1, channels, rows, min(columns, 250)], low=-1,
                             high=1, grain=1.0)


def signal(program):
    """The same with one row for each channel."""
    channels = program.pick((8, 16, 24, 32, 64, 128))
    count = program.pick((LARGE, 2 * LARGE))
    columns = min(count // channels, 20000) - program.random.randint(0, 99)
    return program.new_input([1, channels, columns], low=-1, high=1, grain=1.0)


def conv(program, x):
    """Each output is half of two elements: numbers do not grow."""
    channels, kernel = x.shape[1], program.pick((1, 3, 3, 3, 5))
    dims = len(x.shape) - 2
    outputs = program.pick((8, 12, 16, 24, 32, 48))
    stride = 2 if program.chance(0.15) else 1
    dilation = program.pick((1, 2, 3, 8, 17, 64)) if dims == 1 else 1
    weights = np.zeros((outputs, channels, *[kernel] * dims))
    for output in range(outputs):
        for _ in range(2):
            tap = (output, *(program.random.randrange(extent)
                             for extent in weights.shape[1:]))
            weights[tap] = program.pick((-0.5, 0.5))
    extents = [(extent - 1) // stride + 1 for extent in x.shape[2:]]
    padding = (kernel - 1) * dilation
    # Of a signal what was, or what is to come, may be all that counts.
    before = program.pick((padding // 2, padding, 0)) if dims == 1 else kernel // 2
    arguments = {"x": x.name, "weight": program.tensor(weights),
                 "strides": ints([stride] * dims),
                 "dilations": ints([dilation] * dims),
                 "pad_type": string("custom"),
                 "pad": ints([before, padding - before] * dims)}
    return layers.summed(program, "conv", [1, outputs, *extents], arguments, x,
                         (weights, 0.5), None, 0, [x])


def longer(program, x):
    """Of a signal several columns for each, which go beside each other."""
    if len(x.shape) != 3:
        raise Skip
    times, outputs = program.pick((2, 3, 4)), program.pick((8, 12, 16))
    columns = x.shape[2] * times
    if columns * outputs > program.max_elements:
        raise Skip
    channels, kernel = x.shape[1], times * program.pick((1, 2))
    weights = np.zeros((channels, outputs, kernel))
    for output in range(outputs):
        weights[program.random.randrange(channels), output,
                program.random.randrange(kernel)] = program.pick((-0.5, 0.5))
    before = program.random.randint(0, kernel - times)
    arguments = {"x": x.name, "weight": program.tensor(weights),
                 "strides": ints([times]), "pad_type": string("custom"),
                 "pad": ints([before, kernel - times - before])}
    return layers.summed(program, "conv_transpose", [1, outputs, columns],
                         arguments, x, (weights.swapaxes(0, 1), 0.5), None, 0,
                         [x])


def pool(program, x):
    kernel, dims = program.pick((2, 3, 3, 5)), len(x.shape) - 2
    arguments = {"x": x.name, "kernel_sizes": ints([kernel] * dims),
                 "strides": ints([1] * dims), "pad_type": string("same")}
    return program.emit("max_pool", x.shape, arguments, x.low, x.high, x.grain,
                        x.error, uses=[x])


def relu(program, x):
    return program.emit("relu", x.shape, {"x": x.name}, 0, max(x.high, 0),
                        x.grain, x.error, uses=[x])


def distance(program, x):
    high = x.largest
    return program.emit("abs", x.shape, {"x": x.name}, 0, high, x.grain,
                        x.error, uses=[x])


def gated(program, x):
    """Element by element in two steps, as silu: x times what is made of it."""
    if x.largest > 16:
        raise Skip
    gate = relu(program, x)
    grain = x.grain and x.grain * x.grain
    return program.emit("mul", x.shape, {"x": x.name, "y": gate.name}, 0,
                        gate.high**2, grain,
                        2 * x.error * x.largest + x.error**2, uses=[x, gate])


def others(program, x, dims):
    return [value for value in program.values if value is not x
            and len(value.shape) == len(x.shape)
            and [value.shape[dim] for dim in dims] == [x.shape[dim]
                                                       for dim in dims]]


def largest(program, x):
    y = program.pick(others(program, x, range(len(x.shape))))
    return program.emit("maximum", x.shape, {"x": x.name, "y": y.name},
                        max(x.low, y.low), max(x.high, y.high),
                        elements.grains(x.grain, y.grain),
                        max(x.error, y.error), uses=[x, y])


def total(program, x):
    y = program.pick(others(program, x, range(len(x.shape))))
    return program.emit("add", x.shape, {"x": x.name, "y": y.name},
                        x.low + y.low, x.high + y.high,
                        elements.grains(x.grain, y.grain),
                        x.error + y.error, uses=[x, y])


def concat(program, x):
    y = program.pick(others(program, x, range(2, len(x.shape))))
    shape = [1, x.shape[1] + y.shape[1], *x.shape[2:]]
    return program.emit("concat", shape,
                        {"values": f"({x.name}, {y.name})", "axis": integer(1),
                         "interleave": flag(False)},
                        min(x.low, y.low), max(x.high, y.high),
                        elements.grains(x.grain, y.grain),
                        max(x.error, y.error), uses=[x, y])


def written_over(program, x):
    """What is joined goes on element by element, in its place, to windows that
    see rows of the next block."""
    joined = concat(program, distance(program, x))
    return conv(program, program.pick((relu, distance, gated))(program, joined))


LAYERS = [(conv, 45), (longer, 5), (pool, 8), (relu, 8), (distance, 6), (gated, 10),
          (largest, 8), (total, 8), (concat, 8), (written_over, 12)]


def build(program):
    """Fills a program with one chain, or one that branches."""
    program.max_elements = 4 * LARGE
    program.pick((image, image, signal))(program)
    functions, weights = zip(*LAYERS)
    for _ in range(program.random.randint(3, 11)):
        x = program.pick(program.values[-SOURCES:])
        try:
            program.random.choices(functions, weights)[0](program, x)
        except Skip:
            pass
    assert all(size(value.shape) <= program.max_elements
               for value in program.values)
