"""Ops that become others first: recurrent layers, images at places between their
elements, weights that are stored compressed, products of many elements."""
import math

import numpy as np

from layers import summed
from program import (ROUNDING, Skip, const_text, flag, integer, ints, size,
                     string)

GATES = {"lstm": 4, "gru": 3, "rnn": 1}


def recurrent(program):
    """Gates end at 1. How far tables are off adds up over the steps."""
    x = program.operand(lambda v: v.rank == 3 and v.shape[0] <= 5
                        and size(v.shape) <= 400 and v.largest <= 4,
                        lambda: [program.random.randint(1, 4),
                                 program.random.randint(1, 3),
                                 program.random.randint(1, 9)])
    op = program.pick(GATES)
    steps, batch, width = x.shape
    hidden = program.random.randint(1, 9)
    two_ways = op == "lstm" and program.chance(0.3)
    sides = 2 if two_ways else 1
    direction = "bidirectional" if two_ways else \
        program.pick(("forward", "forward", "reverse"))
    sequence = program.chance(0.6)
    start = program.new_input([batch, sides * hidden], low=-1, high=1)
    arguments = {"x": x.name, "initial_h": start.name,
                 "direction": string(direction),
                 "output_sequence": flag(sequence)}
    rows = GATES[op] * hidden
    for suffix in ("", "_back")[:sides]:
        for name, shape in (("weight_ih", [rows, width]),
                            ("weight_hh", [rows, hidden]), ("bias", [rows])):
            if name == "bias" and program.chance(0.3):
                continue
            arguments[name + suffix] = program.tensor(
                program.numbers(shape, -0.5, 0.5, 2.0**-6)[0])
    uses = [x, start]
    error = 0.02 * (steps + 1) + 0.5 * x.error * width
    results = [([steps if sequence else 1, batch, sides * hidden], -1, 1, None,
                error),
               ([batch, sides * hidden], -1, 1, None, error)]
    if op == "lstm":
        cell = program.new_input([batch, sides * hidden], low=-1, high=1)
        arguments["initial_c"] = cell.name
        uses.append(cell)
        results.append(([batch, sides * hidden], -steps - 1, steps + 1, None,
                        error * steps))
    if any(error > 0.2 for *_, error in results):
        raise Skip()
    return program.emit_many(op, results, arguments, 2, uses)


def crop_resize(program):
    """Boxes at quarters of elements: weights are sixteenths."""
    if program.opset < 17:
        raise Skip()
    x = program.operand(lambda v: v.rank == 4 and size(v.shape) <= 1500,
                        lambda: program.shape(4))
    n, _, height, width = x.shape
    count = program.random.randint(1, 3)
    boxes = [[program.random.randint(-4, 4 * e + 2) / 4
              for e in (height, width, height, width)] for _ in range(count)]
    target = [program.random.randint(1, 6) for _ in range(2)]
    outside = program.pick((0.0, -1.5))
    arguments = {
        "x": x.name, "boxes": program.tensor(np.array(boxes)),
        "box_indices": ints(program.random.randrange(n)
                            for _ in range(count)),
        "target_height": integer(target[0]),
        "target_width": integer(target[1]),
        "pad_value": program.scalar(outside),
        "sampling_mode": string(program.pick((
            "STRICT_ALIGN_CORNERS", "ALIGN_CORNERS", "DEFAULT",
            "OFFSET_CORNERS", "UNALIGN_CORNERS")))}
    return program.emit("crop_resize", [count, x.shape[1]] + target, arguments,
                        min(x.low, outside), max(x.high, outside), None,
                        x.error + 8 * ROUNDING * x.largest, 4, [x])


def resample(program):
    """At multiples of a quarter, known or computed."""
    if program.opset < 16:
        raise Skip()
    x = program.operand(lambda v: v.rank == 4 and size(v.shape) <= 800,
                        lambda: program.shape(4))
    n, channels, height, width = x.shape
    shape = [n, program.random.randint(1, 4), program.random.randint(1, 4), 2]
    ends = (width, height)
    places = np.array([program.random.randint(-6, 4 * ends[i % 2] + 6) / 4
                       for i in range(size(shape))]).reshape(shape)
    nearest = program.chance(0.3)
    if nearest:
        # Not halfway between two.
        places = np.floor(places) + 0.25
    if program.chance(0.5):
        text, uses = program.tensor(places), []
    else:
        value = program.new_input(shape, low=-8, high=4 * max(ends) + 8)
        program.arrays[value.name] = places.astype(
            program.arrays[value.name].dtype)
        text, uses = value.name, [value]
    outside = program.pick((0.0, 2.5))
    arguments = {
        "x": x.name, "coordinates": text,
        "coordinates_mode": string("unnormalized"),
        "align_corners": flag(program.chance(0.5)),
        "sampling_mode": string("nearest" if nearest else "bilinear"),
        "padding_mode": string(program.pick(("constant", "border",
                                             "reflection", "symmetric"))),
        "padding_value": program.scalar(outside)}
    return program.emit("resample", [n, channels] + shape[1:3], arguments,
                        min(x.low, 0), max(x.high, outside), None,
                        x.error + 8 * ROUNDING * max(x.largest, outside), 4,
                        uses + [x])


def compressed(program):
    """A linear layer, its weight a palette, sparse, or of 8 bits."""
    if program.opset < 16:
        raise Skip()
    x = program.operand(lambda v: 1 <= v.rank <= 4 and v.shape[-1] <= 64)
    k, n = x.shape[-1], program.random.randint(1, 12)
    shape, typed = [n, k], program.dtype
    kind = program.pick(("lut", "sparse", "affine"))
    numbers = np.array([program.random.randint(-2, 2)
                        for _ in range(n * k)]).reshape(shape)
    program.constants += 1
    name = f"c{program.constants}"
    known = program.opset < 18
    if kind == "lut":
        table = np.arange(-2, 2) + 0.0
        numbers = np.minimum(numbers, 1)
        indices = (numbers + 2).astype(np.int64)
        if known:
            text = (f"lut = {const_text(table, typed)}, indices = "
                    f"{packed(indices, 2)}, shape = {extents(shape)}")
        else:
            text = (f"lut = {const_text(table.reshape(1, 1, 4, 1), typed)}, "
                    f"indices = {small_text(indices, 'uint2')}")
        op = "constexpr_lut_to_dense"
    elif kind == "sparse":
        mask = (numbers != 0).astype(np.int64)
        if not mask.any():
            raise Skip()
        data = const_text(numbers[numbers != 0] + 0.0, typed)
        text = f"nonzero_data = {data}, mask = " + (
            f"{packed(mask, 1)}, shape = {extents(shape)}" if known
            else small_text(mask, "uint1"))
        op = "constexpr_sparse_to_dense"
    elif known:
        text = (f"quantized_data = {small_text(numbers + 3, 'uint8')}, "
                f"zero_point = uint8(3), scale = {program.scalar(1.0)}, "
                "axis = int32(0)")
        op = "constexpr_affine_dequantize"
    else:
        text = (f"data = {small_text(numbers, 'int4')}, "
                f"scale = {const_text(np.ones((1, 1)), typed)}")
        op = "constexpr_blockwise_shift_scale"
    text = f"{op}()[{text}]" if known else f"{op}({text})"
    program.statements.append(
        ([name], f"tensor<{typed}, [{n}, {k}]> {name} = {text};"))
    program.ops.append(op)
    return summed(program, "linear", x.shape[:-1] + [n],
                  {"x": x.name, "weight": name}, x, (numbers + 0.0, 1.0), None,
                  0, [x])


def small_text(array, dtype):
    """Integers of another type as an inline value."""
    return const_text(array, "int32").replace("int32", dtype, 1)


def packed(array, bits):
    """Bits of the elements, the lowest first, as bytes."""
    flat = (np.asarray(array).reshape(-1, 1) >> np.arange(bits)) & 1
    return small_text(np.packbits(flat.reshape(-1).astype(np.uint8),
                                  bitorder="little").astype(np.int64), "uint8")


def extents(shape):
    return small_text(np.array(shape), "uint32")


def reduce_prod(program):
    x = program.operand(lambda v: v.rank >= 1 and v.largest <= 4)
    axes = program.random.sample(range(x.rank), program.random.randint(
        1, min(2, x.rank)))
    count = size([x.shape[axis] for axis in axes])
    if count > 8:
        raise Skip()
    largest = max(x.largest, 1)
    reach = largest**count
    if reach > 4000:
        raise Skip()
    shape = [1 if i in axes else e for i, e in enumerate(x.shape)]
    return program.emit("reduce_prod", shape,
                        {"x": x.name, "axes": ints(axes),
                         "keep_dims": flag(True)}, -reach, reach,
                        x.grain**count if x.grain else None,
                        count * largest**(count - 1) * x.error, count, [x])


def matmul_left(program):
    """A batch of constants on the left, of any rank."""
    rows, k, n = (program.random.randint(1, 9) for _ in range(3))
    outer = [program.random.randint(1, 3)
             for _ in range(program.random.randint(1, 3))]

    def part():
        own = [1 if program.chance(0.3) else e for e in outer]
        return own[program.random.randint(0, len(own)):] \
            if program.chance(0.3) else own

    weights = program.numbers(part() + [rows, k])
    x = program.new_input(part() + [k, n])
    shape = list(np.broadcast_shapes(weights[0].shape[:-2],
                                     tuple(x.shape[:-2]))) + [rows, n]
    lines = (weights[0].reshape(-1, k), weights[1])
    return summed(program, "matmul", shape,
                  {"x": program.tensor(weights[0]), "y": x.name}, x, lines,
                  None, 0, [x])


def power_of_constant(program):
    y = program.operand(lambda v: v.largest <= 4 and size(v.shape) <= 400)
    base = program.numbers(y.shape, 0.25, 4, 0.25)[0]
    reach = 4.0**y.largest
    return program.emit("pow", y.shape,
                        {"x": program.tensor(base), "y": y.name}, 0, reach,
                        None, math.log(4) * reach * y.error + 1e-3
                        + 1.5e-2 * reach, 4, [y])


OPS = [(recurrent, 0.8), (crop_resize, 1), (resample, 1), (compressed, 1),
       (reduce_prod, 0.8), (matmul_left, 1), (power_of_constant, 0.4)]
