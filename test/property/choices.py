"""Ops that choose: elements at computed places, orders, scatters, masks."""
import numpy as np

from program import (MAX_INPUTS, ROUNDING, Skip, const_text, flag, integer,
                     ints, size, string)


def keep(program, op, x, shape, arguments, uses):
    """Numbers of x in other places."""
    return program.emit(op, shape, {"x": x.name, **arguments}, x.low, x.high,
                        x.grain, x.error, 0, [x] + uses)


def small(limit):
    return lambda v: v.rank >= 1 and size(v.shape) <= limit


def places(program, shape, extents, distinct=False):
    """Indices, or tuples of them, as text: an input, or constants. `distinct`
    ones do not repeat along the first dimension."""
    if distinct and shape[0] > extents[0]:
        raise Skip()
    tuples = []
    for _ in range(size(shape)):
        tuples += [program.random.randrange(e) for e in extents]
    array = np.array(tuples).reshape(list(shape) + ([len(extents)] if
                                                    len(extents) > 1 else []))
    if distinct:
        array = np.array(program.random.sample(range(extents[0]), shape[0]))
    if program.chance(0.5) or len(program.inputs) >= MAX_INPUTS:
        return const_text(array, "int32"), []
    value = program.new_input(array.shape, "int32", 0, max(extents) - 1)
    program.arrays[value.name] = array.astype(np.int32)
    return value.name, [value]


def gather(program):
    x = program.operand(small(1500))
    axis = program.random.randrange(x.rank)
    counts = [program.random.randint(1, 5) for _ in range(
        program.random.randint(1, 2 if x.rank < 5 else 1))]
    arguments, shared = {"axis": integer(axis)}, 0
    if program.opset >= 17:
        if program.chance(0.3):
            arguments["validate_indices"] = flag(program.chance(0.5))
        if axis and x.rank + len(counts) <= 6 and program.chance(0.3):
            shared = program.random.randint(1, axis)
            arguments["batch_dims"] = integer(shared)
    arguments["indices"], uses = places(program, x.shape[:shared] + counts,
                                        [x.shape[axis]])
    return keep(program, "gather", x,
                x.shape[:axis] + counts + x.shape[axis + 1:], arguments, uses)


def gather_along_axis(program):
    x = program.operand(small(600))
    axis = program.random.randrange(x.rank)
    shape = list(x.shape)
    shape[axis] = program.random.randint(1, 5)
    text, uses = places(program, shape, [x.shape[axis]])
    return keep(program, "gather_along_axis", x, shape,
                {"indices": text, "axis": integer(axis)}, uses)


def gather_nd(program):
    x = program.operand(small(1500))
    length = program.random.randint(1, x.rank)
    count = program.random.randint(1, 6)
    arguments, shared = {}, 0
    if program.opset >= 17 and x.rank > 2 and program.chance(0.3):
        shared = program.random.randint(1, x.rank - 2)
        length = program.random.randint(2, x.rank - shared)
        arguments["batch_dims"] = integer(shared)
    if length == 1:
        raise Skip()
    arguments["indices"], uses = places(
        program, x.shape[:shared] + [count], x.shape[shared:shared + length])
    return keep(program, "gather_nd", x, x.shape[:shared] + [count]
                + x.shape[shared + length:], arguments, uses)


MODES = ("add", "sub", "update", "mul", "div", "max", "min")


def scatter(program):
    """Up to three updates; several may go to one place."""
    x = program.operand(small(800))
    axis = program.random.randrange(x.rank)
    mode = program.pick(MODES)
    count = program.random.randint(1, 3)
    shape = list(x.shape)
    shape[axis] = count
    along = program.chance(0.4)
    text, uses = places(program, shape if along else [count],
                        [x.shape[axis]], mode == "update" and not along)
    if mode == "update" and along and count > 1:
        raise Skip()
    return updated(program, "scatter_along_axis" if along else "scatter", x,
                   shape, mode, count, {"indices": text,
                                        "axis": integer(axis)}, uses)


def scatter_nd(program):
    """Up to three updates of parts with the same first places."""
    x = program.operand(small(800))
    length = program.random.randint(1, x.rank)
    mode = program.pick(MODES)
    count = 1 if mode == "update" else program.random.randint(1, 3)
    text, uses = places(program, [count], x.shape[:length])
    if length == 1:
        raise Skip()
    return updated(program, "scatter_nd", x, [count] + x.shape[length:], mode,
                   count, {"indices": text}, uses)


def updated(program, op, x, shape, mode, count, arguments, uses):
    """The numbers of x, each with up to so many updates, which have this
    shape."""
    u = program.new_input(shape, low=0.5, high=2) if mode in ("mul", "div") \
        else program.new_input(shape)
    times = 2.0**count
    low, high = min(x.low, u.low), max(x.high, u.high)
    grain = min(x.grain, u.grain) if x.grain and u.grain else None
    error = x.error
    if mode in ("add", "sub"):
        reach = x.largest + count * u.largest
        low, high = -reach, reach
    elif mode in ("mul", "div"):
        reach = x.largest * times
        low, high, grain = -reach, reach, None
        error = (error + 4 * ROUNDING + 4e-3 * x.largest) * times
    return program.emit(op, x.shape,
                        {"data": x.name, "updates": u.name,
                         "mode": string(mode), **arguments},
                        low, high, grain, error, count, [x, u] + uses)


def sort(program):
    """Of exact numbers, where both sides find one order."""
    x = program.operand(lambda v: v.exact and small(1000)(v))
    op = program.pick(("topk", "argsort", "reduce_argmax", "reduce_argmin"))
    axis = program.random.randrange(x.rank)
    extent = x.shape[axis]
    arguments = {"x": x.name, "axis": integer(axis)}
    if op.startswith("reduce"):
        kept = list(x.shape)
        kept[axis] = 1
        keep_dims = x.rank == 1 or program.chance(0.7)
        arguments["keep_dims"] = flag(keep_dims)
        if not keep_dims:
            del kept[axis]
        places_type = "int32"
        if program.opset >= 17 and program.chance(0.3):
            places_type = program.pick(("int32", "uint16"))
            arguments["output_dtype"] = string(places_type)
        return program.emit(op, kept, arguments, 0, extent - 1, 1.0,
                            uses=[x], dtype=places_type)
    arguments["ascending"] = flag(program.chance(0.5))
    if op == "argsort":
        if extent > 70:
            raise Skip()
        return program.emit(op, x.shape, arguments, 0, extent - 1, 1.0,
                            uses=[x], dtype="int32")
    count = program.random.randint(1, min(extent, 40))
    arguments["k"] = integer(count)
    shape = list(x.shape)
    shape[axis] = count
    places_type = "int32"
    if program.opset >= 17 and program.chance(0.3):
        places_type = program.pick(("int32", "uint16"))
        arguments["output_indices_dtype"] = string(places_type)
    if program.opset >= 16 and program.chance(0.2):
        arguments.pop("output_indices_dtype", None)
        arguments["return_indices"] = flag(False)
        return program.emit(op, shape, arguments, x.low, x.high, x.grain,
                            uses=[x])
    return program.emit_many(op, [
        (shape, x.low, x.high, x.grain, 0.0),
        (shape, 0, extent - 1, 1.0, 0.0)], arguments, 0, [x],
        dtypes=[x.dtype, places_type])


def one_hot(program):
    found = [v for v in program.values
             if v.dtype == "int32" and v.rank <= 4 and v.high < 40]
    if not found:
        raise Skip()
    x = program.pick(found)
    axis = program.random.randint(0, x.rank)
    count = program.random.randint(1, 9)
    return program.emit("one_hot", x.shape[:axis] + [count] + x.shape[axis:],
                        {"indices": x.name, "axis": integer(axis),
                         "one_hot_vector_size": integer(count),
                         "on_value": program.scalar(2.0),
                         "off_value": program.scalar(-0.5)},
                        -0.5, 2, 0.5, uses=[x])


def masked(program):
    """Triangles, and beginnings of sequences backwards; of bool too."""
    bools = [v for v in program.values if v.dtype == "bool" and v.rank >= 2]
    x = program.pick(bools) if bools and program.chance(0.4) else \
        program.operand(lambda v: v.rank >= 2 and size(v.shape) <= 1000)
    if program.chance(0.5):
        return program.emit("band_part", x.shape,
                            {"x": x.name,
                             "lower": integer(program.random.randint(-1, 4)),
                             "upper": integer(program.random.randint(-1, 4))},
                            min(x.low, 0), max(x.high, 0), x.grain, x.error, 0,
                            [x], x.dtype)
    batch, sequence = program.random.sample(range(x.rank), 2)
    if x.shape[batch] > 60 or x.dtype == "bool" and program.opset < 17:
        raise Skip()
    lengths = [program.random.randint(1, x.shape[sequence])
               for _ in range(x.shape[batch])]
    return program.emit("reverse_sequence", x.shape,
                        {"x": x.name, "lengths": ints(lengths),
                         "seq_axis": integer(sequence),
                         "batch_axis": integer(batch)},
                        x.low, x.high, x.grain, x.error, 0, [x], x.dtype)


def truths(program):
    """One bool for each element of a value."""
    if program.opset < 16:
        raise Skip()
    x = program.operand()
    return program.emit("fill_like", x.shape,
                        {"ref_tensor": x.name,
                         "value": flag(program.chance(0.5))},
                        0, 1, 1.0, uses=[x], dtype="bool")


OPS = [(gather, 1), (gather_along_axis, 1), (gather_nd, 1), (scatter, 1.5),
       (scatter_nd, 0.7),
       (sort, 1.5), (one_hot, 0.7), (masked, 1), (truths, 0.4)]
