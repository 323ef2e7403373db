"""Ops that move elements: shapes, parts, joints, padding, blocks of pixels."""
from program import (MAX_INPUTS, Skip, const_text, flag, integer, ints, size,
                     string)


def keep(program, op, x, shape, arguments, extra=0.0):
    """The same numbers in another order."""
    return program.emit(op, shape, {"x": x.name, **arguments}, x.low, x.high,
                        x.grain, x.error, extra, [x])


def factors(program, count, rank):
    """Random extents with that product."""
    shape = [1] * rank
    for prime in primes(count):
        shape[program.random.randrange(rank)] *= prime
    return shape


def primes(count):
    result, p = [], 2
    while count > 1:
        while count % p == 0:
            result.append(p)
            count //= p
        p += 1
    return result


def reshape(program):
    x = program.operand()
    rank = program.random.randint(1, 5)
    shape = factors(program, size(x.shape), rank)
    stated = list(shape)
    if program.chance(0.3):
        stated[program.random.randrange(rank)] = -1
    return keep(program, "reshape", x, shape, {"shape": ints(stated)})


def transpose(program):
    x = program.operand(lambda v: v.rank >= 1)
    order = list(range(x.rank))
    program.random.shuffle(order)
    stated = [axis - x.rank if program.chance(0.2) else axis
              for axis in order]
    return keep(program, "transpose", x, [x.shape[axis] for axis in order],
                {"perm": ints(stated)})


def expand_dims(program):
    x = program.operand(lambda v: v.rank <= 4)
    added = program.random.randint(1, 5 - x.rank)
    rank = x.rank + added
    axes = sorted(program.random.sample(range(rank), added))
    rest = iter(x.shape)
    shape = [1 if axis in axes else next(rest) for axis in range(rank)]
    return keep(program, "expand_dims", x, shape, {"axes": ints(axes)})


def squeeze(program):
    x = program.operand(lambda v: 1 in v.shape and v.rank >= 2)
    ones = [axis for axis in range(x.rank) if x.shape[axis] == 1]
    axes = program.random.sample(ones, program.random.randint(1, len(ones)))
    if len(axes) == x.rank:
        axes = axes[1:]
    arguments = {"axes": ints(sorted(axes))}
    if program.chance(0.2) and len(ones) < x.rank:
        axes, arguments = ones, {}
    shape = [e for axis, e in enumerate(x.shape) if axis not in axes]
    return keep(program, "squeeze", x, shape, arguments)


def flatten2d(program):
    x = program.operand(lambda v: v.rank >= 1)
    axis = program.random.randint(1, x.rank)
    return keep(program, "flatten2d", x,
                [size(x.shape[:axis]), size(x.shape[axis:])],
                {"axis": integer(axis)})


def join(program):
    """concat and stack of two to four values; in turns along the axis, too."""
    x = program.operand(lambda v: v.rank >= 1)
    stacked = program.chance(0.3) and x.rank <= 4
    in_turns = not stacked and program.chance(0.1)
    axis = program.random.randrange(x.rank + 1 if stacked else x.rank)
    values = [x]
    for _ in range(program.random.randint(1, 3)):
        shape = list(x.shape)
        if not stacked and not in_turns:
            shape[axis] = program.extent()

        def fits(v):
            return v.dtype == x.dtype and v.rank == x.rank and all(
                e == f for i, (e, f) in enumerate(zip(v.shape, x.shape))
                if stacked or in_turns or i != axis)

        found = [v for v in program.values if fits(v)]
        if found and (program.chance(0.5) or len(program.inputs) >= MAX_INPUTS):
            values.append(program.pick(found))
        elif len(program.inputs) < MAX_INPUTS:
            values.append(program.new_input(shape))
    program.random.shuffle(values)
    if stacked:
        shape = x.shape[:axis] + [len(values)] + x.shape[axis:]
    else:
        shape = list(x.shape)
        shape[axis] = sum(v.shape[axis] for v in values)
    grain = min((v.grain for v in values)) \
        if all(v.grain for v in values) else None
    listed = ", ".join(v.name for v in values)
    arguments = {"values": f"({listed})", "axis": integer(
        axis - len(shape) if program.chance(0.3) else axis)}
    if not stacked and (in_turns or program.chance(0.5)):
        arguments["interleave"] = flag(in_turns)
    return program.emit("stack" if stacked else "concat", shape, arguments,
                        min(v.low for v in values),
                        max(v.high for v in values), grain,
                        max(v.error for v in values), 0, values)


def split(program):
    x = program.operand(lambda v: v.rank >= 1 and max(v.shape) >= 2)
    axis = program.pick([i for i, e in enumerate(x.shape) if e >= 2])
    extent = x.shape[axis]
    parts = [n for n in range(2, min(extent, 6) + 1) if extent % n == 0]
    if parts and program.chance(0.5):
        count = program.pick(parts)
        sizes = [extent // count] * count
        arguments = {"num_splits": integer(count)}
    else:
        count = program.random.randint(2, min(extent, 4))
        cuts = sorted(program.random.sample(range(1, extent), count - 1))
        sizes = [b - a for a, b in zip([0] + cuts, cuts + [extent])]
        arguments = {"split_sizes": ints(sizes)}
    arguments.update(x=x.name, axis=integer(axis))
    results = [(x.shape[:axis] + [e] + x.shape[axis + 1:], x.low, x.high,
                x.grain, x.error) for e in sizes]
    return program.emit_many("split", results, arguments, 0, [x])


def part(program, x):
    """Arguments of a slice by index of x, and its shape."""
    begins, ends, strides, shape = [], [], [], []
    begin_mask, end_mask, squeeze_mask = [], [], []
    for axis, extent in enumerate(x.shape):
        begin = program.random.randrange(extent)
        if program.chance(0.4):
            begin = 0
        end = program.random.randint(begin + 1, extent)
        stride = program.random.choice((1, 1, 1, 1, 2, 3))
        backwards = program.chance(0.08)
        squeezed = program.chance(0.07) and len(shape) + x.rank - axis > 1
        masks = [program.chance(0.15), program.chance(0.2)]
        if squeezed:
            masks, stride, backwards = [False, False], 1, False
            end = begin + 1
        low, high = begin, end
        if backwards:
            stride, low, high = -stride, end - 1, begin - 1
            if high < 0:
                masks[1] = True
            count = len(range(extent - 1 if masks[0] else low,
                              -1 if masks[1] else high, stride))
            high = max(high, 0)
        else:
            count = len(range(0 if masks[0] else low,
                              extent if masks[1] else high, stride))
        if count == 0:
            raise Skip()
        if not squeezed:
            shape.append(count)
        begins.append(low - extent if program.chance(0.15) else low)
        ends.append(high - extent if program.chance(0.15) and 0 < high < extent
                    else high)
        strides.append(stride)
        begin_mask.append(masks[0])
        end_mask.append(masks[1])
        squeeze_mask.append(squeezed)
    arguments = {"begin": ints(begins), "end": ints(ends),
                 "stride": ints(strides)}
    for name, mask in (("begin_mask", begin_mask), ("end_mask", end_mask),
                       ("squeeze_mask", squeeze_mask)):
        if any(mask):
            arguments[name] = const_text(mask, "bool")
    return arguments, shape


def slice_by_index(program):
    x = program.operand(lambda v: v.rank >= 1)
    arguments, shape = part(program, x)
    return keep(program, "slice_by_index", x, shape, arguments)


def slice_update(program):
    if program.opset < 18:
        raise Skip()
    x = program.operand(lambda v: v.rank >= 1)
    arguments, shape = part(program, x)
    found = [v for v in program.values if v.shape == shape
             and v.dtype == x.dtype and v is not x]
    u = program.pick(found) if found else program.new_input(shape)
    grain = min(x.grain, u.grain) if x.grain and u.grain else None
    return program.emit("slice_update", x.shape,
                        {"x": x.name, "update": u.name, **arguments},
                        min(x.low, u.low), max(x.high, u.high), grain,
                        max(x.error, u.error), 0, [x, u])


def reshape_like(program):
    """To some extents of one value and the rest of another."""
    if program.opset < 16:
        raise Skip()
    x = program.operand(lambda v: v.rank >= 1)
    shape = factors(program, size(x.shape), program.random.randint(1, 5))
    cut = program.random.randint(0, len(shape))
    before = [program.random.randint(1, 3)] * program.random.randint(0, 1)
    first = program.new_input(shape[:cut] + [2])
    rest = program.new_input(before + shape[cut:] or [1])
    ends = len(rest.shape) if before or shape[cut:] else 0
    masked = ends > 0 and program.chance(0.5)
    return keep(program, "reshape_like", x, shape, {
        "ref_tensors": f"({first.name}, {rest.name})",
        "begins": f"({integer(0)}, {integer(len(before))})",
        "ends": f"({integer(cut)}, {integer(0 if masked else ends)})",
        "end_masks": f"({flag(False)}, {flag(masked)})"})


def sliding_windows(program):
    x = program.operand(lambda v: 1 <= v.rank <= 4 and size(v.shape) <= 2000)
    axis = program.random.randrange(x.rank)
    extent = x.shape[axis]
    window, stride = (program.random.randint(1, min(extent, most))
                      for most in (5, 3))
    shape = x.shape[:axis] + [(extent - window) // stride + 1, window] \
        + x.shape[axis + 1:]
    arguments = {"axis": integer(axis - x.rank if program.chance(0.3)
                                 else axis), "size": integer(window)}
    if stride > 1 or program.chance(0.5):
        arguments["stride"] = integer(stride)
    return keep(program, "sliding_windows", x, shape, arguments)


def known(program):
    """Values that follow from nothing computed: numbers in a row or all the
    same, and the extents of a value."""
    op = program.pick(("fill", "range_1d", "shape"))
    if op == "shape":
        x = program.operand(lambda v: v.rank >= 1)
        return program.emit(op, [x.rank], {"x": x.name}, min(x.shape),
                            max(x.shape), 1.0, uses=[x], dtype="int32")
    if op == "fill":
        shape = program.shape(program.random.randint(1, 5))
        number = program.pick((0.0, 1.0, -2.5))
        return program.emit(op, shape, {"shape": ints(shape), "value":
                                        program.scalar(number)},
                            number, number, 0.5)
    start, step = program.random.randint(-4, 4), program.pick((0.5, 1, -1.5))
    count = program.extent()
    numbers = [start + step * i for i in range(count)]
    return program.emit(op, [count], {
        "start": program.scalar(start), "step": program.scalar(step),
        "end": program.scalar(start + step * (count - 0.5))},
        min(numbers), max(numbers), 0.5)


def slice_by_size(program):
    x = program.operand(lambda v: v.rank >= 1)
    begin = [program.random.randrange(e) for e in x.shape]
    shape = [program.random.randint(1, e - b) for e, b in zip(x.shape, begin)]
    return keep(program, "slice_by_size", x, shape,
                {"begin": ints(begin), "size": ints(shape)})


def reverse(program):
    x = program.operand(lambda v: v.rank >= 1)
    axes = program.random.sample(range(x.rank),
                                 program.random.randint(1, x.rank))
    return keep(program, "reverse", x, x.shape, {"axes": ints(axes)})


def tile(program):
    x = program.operand(lambda v: v.rank >= 1)
    reps = [program.random.choice((1, 1, 1, 2, 3, 4, 5)) for _ in x.shape]
    return keep(program, "tile", x,
                [e * r for e, r in zip(x.shape, reps)], {"reps": ints(reps)})


def pad(program):
    x = program.operand(lambda v: v.rank >= 1)
    mode = program.pick(("constant", "constant", "reflect", "replicate"))
    dims = program.random.randint(1, min(x.rank, 2 if mode != "constant"
                                         else 4))
    if mode != "constant" and x.rank < 3:
        raise Skip()
    amounts = []
    for extent in x.shape[x.rank - dims:]:
        limit = min(extent - 1, 3) if mode == "reflect" else 3
        amounts += [program.random.randint(0, limit) for _ in range(2)]
    shape = list(x.shape)
    for i in range(dims):
        shape[x.rank - dims + i] += amounts[2 * i] + amounts[2 * i + 1]
    number = program.pick((0.0, 0.0, 1.0, -2.5)) if mode == "constant" else 0.0
    low, high, grain = x.low, x.high, x.grain
    if mode == "constant":
        low, high = min(low, number), max(high, number)
        grain = min(grain, 0.5) if grain else None
    return program.emit("pad", shape,
                        {"x": x.name, "pad": ints(amounts),
                         "mode": string(mode),
                         "constant_val": program.scalar(number)},
                        low, high, grain, x.error, 0, [x])


def image(program):
    """Blocks of pixels to channels and back."""
    ops = ["depth_to_space", "space_to_depth", "pixel_shuffle"]
    if program.opset >= 16:
        ops.append("pixel_unshuffle")
    op, block = program.pick(ops), program.pick((2, 2, 3))

    def fits(v):
        if v.rank != 4:
            return False
        if op in ("depth_to_space", "pixel_shuffle"):
            return v.shape[1] % block**2 == 0
        return v.shape[2] % block == 0 and v.shape[3] % block == 0

    def make():
        n, c, h, w = (program.random.randint(1, 5) for _ in range(4))
        if op in ("depth_to_space", "pixel_shuffle"):
            return [n, c * block**2, h, w]
        return [n, c, h * block, w * block]

    x = program.operand(fits, make)
    n, c, h, w = x.shape
    if op in ("depth_to_space", "pixel_shuffle"):
        shape = [n, c // block**2, h * block, w * block]
    else:
        shape = [n, c * block**2, h // block, w // block]
    name = {"pixel_shuffle": "upscale_factor",
            "pixel_unshuffle": "downscale_factor"}.get(op, "block_size")
    kind = "uint32" if op == "pixel_unshuffle" else "int32"
    return keep(program, op, x, shape, {name: f"{kind}({block})"})


def batch(program):
    """space_to_batch and batch_to_space."""
    block = [program.random.randint(1, 3) for _ in range(2)]
    edges = [[program.random.randint(0, 2) for _ in range(2)]
             for _ in range(2)]
    if program.chance(0.5):
        x = program.operand(
            lambda v: v.rank == 4 and all(
                (v.shape[2 + i] + sum(edges[i])) % block[i] == 0
                for i in range(2)),
            lambda: [program.random.randint(1, 2), program.random.randint(
                1, 5)] + [block[i] * program.random.randint(2, 4)
                          - sum(edges[i]) % block[i] for i in range(2)])
        shape = [x.shape[0] * size(block), x.shape[1]] + [
            (x.shape[2 + i] + sum(edges[i])) // block[i] for i in range(2)]
        return program.emit(
            "space_to_batch", shape,
            {"x": x.name, "block_shape": ints(block),
             "paddings": const_text(edges, "int32")},
            min(x.low, 0), max(x.high, 0), x.grain, x.error, 0, [x])
    x = program.operand(
        lambda v: v.rank == 4 and v.shape[0] % size(block) == 0 and all(
            v.shape[2 + i] * block[i] > sum(edges[i]) for i in range(2)),
        lambda: [size(block)] + [program.random.randint(3, 6)
                                 for _ in range(3)])
    shape = [x.shape[0] // size(block), x.shape[1]] + [
        x.shape[2 + i] * block[i] - sum(edges[i]) for i in range(2)]
    return keep(program, "batch_to_space", x, shape,
                {"block_shape": ints(block),
                 "crops": const_text(edges, "int32")})


def crop(program):
    x = program.operand(lambda v: v.rank >= 3)
    cuts = [[program.random.randint(0, 2) for _ in range(2)]
            for _ in range(2)]
    shape = x.shape[:-2] + [e - sum(c) for e, c in zip(x.shape[-2:], cuts)]
    if min(shape) < 1:
        raise Skip()
    return keep(program, "crop", x, shape,
                {"crop_height": ints(cuts[0]), "crop_width": ints(cuts[1])})


def gather(program):
    x = program.operand(lambda v: v.rank >= 1)
    axis = program.random.randrange(x.rank)
    counts = [program.random.randint(1, 5)
              for _ in range(program.random.randint(1, 2 if x.rank < 5 else 1))]
    indices = [program.random.randrange(x.shape[axis])
               for _ in range(size(counts))]
    if program.chance(0.2):
        indices = [i - x.shape[axis] if program.chance(0.5) else i
                   for i in indices]
    text = ints(indices)
    if len(counts) == 2:
        rows = [indices[i * counts[1]:(i + 1) * counts[1]]
                for i in range(counts[0])]
        text = const_text(rows, "int32")
    return keep(program, "gather", x,
                x.shape[:axis] + counts + x.shape[axis + 1:],
                {"indices": text, "axis": integer(axis)})


OPS = [(reshape, 2.5), (transpose, 2.5), (expand_dims, 1), (squeeze, 1),
       (flatten2d, 0.5), (join, 3), (split, 2), (slice_by_index, 3),
       (slice_by_size, 1), (reverse, 1), (tile, 1), (pad, 2), (image, 1.5),
       (batch, 1), (crop, 0.7), (gather, 1.2), (slice_update, 1),
       (reshape_like, 0.5), (sliding_windows, 0.7), (known, 0.7)]
