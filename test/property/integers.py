"""Ops on integers, and on values of the float type that the program is not of.

All numbers are exact, so that both sides agree in every bit."""
import math

from elements import broadcast
from program import MAX_INPUTS, Skip, flag, ints, size, string

# What integers on the engine may be.
LARGEST_INTEGER = 2000
INTEGERS = ("int32", "int16", "uint16", "int8", "uint8")
ENDS = {"int32": (-2000, 2000), "int16": (-2000, 2000), "uint16": (0, 2000),
        "int8": (-128, 127), "uint8": (0, 255)}
MOVED = {"int32", "bool"}


def numbers(program, dtypes=("int32",)):
    """A value of integers, made of floats or an input if there is none."""
    found = [v for v in program.values if v.dtype in dtypes
             and v.largest <= LARGEST_INTEGER]
    if found and program.chance(0.6):
        return program.pick(found)
    if program.chance(0.5) and len(program.inputs) < MAX_INPUTS:
        return program.new_input(program.shape(), "int32", -9, 9)
    return made_of_floats(program, "int32")


def made_of_floats(program, dtype):
    x = program.operand(lambda v: v.exact and v.grain and v.grain >= 0.125
                        and v.low >= ENDS[dtype][0]
                        and v.high <= ENDS[dtype][1])
    return program.emit("cast", x.shape, {"x": x.name, "dtype": string(dtype)},
                        math.trunc(x.low), math.trunc(x.high), 1.0, uses=[x],
                        dtype=dtype)


def to_integers(program):
    dtype = program.pick(INTEGERS if program.opset >= 17 else INTEGERS[:1])
    return made_of_floats(program, dtype)


def to_floats(program):
    x = numbers(program, INTEGERS)
    return program.emit("cast", x.shape,
                        {"x": x.name, "dtype": string(program.dtype)}, x.low,
                        x.high, 1.0, uses=[x])


def other_float(program):
    """Through the other type of floats, with an op of that on the way."""
    x = program.operand(lambda v: v.exact and v.largest <= 500)
    if program.dtype == "fp32":
        raise Skip()
    wide = program.emit("cast", x.shape, {"x": x.name, "dtype": string("fp32")},
                        x.low, x.high, x.grain, uses=[x], dtype="fp32")
    wide.is_apart = True
    op = program.pick(("relu", "abs", "add"))
    arguments, low, high = {"x": wide.name}, max(x.low, 0), max(x.high, 0)
    if op == "add":
        arguments["y"] = "fp32(1.0)"
        low, high = x.low + 1, x.high + 1
    elif op == "abs":
        high = x.largest
        low = 0
    y = program.emit(op, x.shape, arguments, low, high,
                     min(x.grain, 1.0) if x.grain else None, uses=[wide],
                     dtype="fp32")
    y.is_apart = True
    return program.emit("cast", x.shape, {"x": y.name, "dtype": string("fp16")},
                        low, high, y.grain, uses=[y])


def arithmetic(program):
    """Sums, products, comparisons and choices of integers that stay small."""
    x = numbers(program)
    others = [v for v in program.values if v.dtype == "int32"
              and v.largest <= LARGEST_INTEGER and broadcast(x.shape, v.shape)]
    if others and program.chance(0.5):
        y = program.pick(others)
        text, shape, uses = y.name, broadcast(x.shape, y.shape), [x, y]
        least, most = y.low, y.high
    else:
        least = most = float(program.random.choice((-3, -1, 1, 2, 5)))
        text, shape, uses = f"int32({int(least)})", x.shape, [x]
    op = program.pick(("add", "sub", "mul", "maximum", "minimum", "less",
                       "equal", "floor_div", "mod"))
    if op in ("floor_div", "mod"):
        if least != most or len(uses) > 1 or x.largest > 256:
            raise Skip()
    ends = {"add": (x.low + least, x.high + most),
            "sub": (x.low - most, x.high - least),
            "maximum": (max(x.low, least), max(x.high, most)),
            "minimum": (min(x.low, least), min(x.high, most)),
            "less": (0, 1), "equal": (0, 1),
            "mod": (min(0, least), max(0, most))}
    products = [a * b for a in (x.low, x.high) for b in (least, most)]
    ends["mul"] = (min(products), max(products))
    if least:
        quotients = [math.floor(a / least) for a in (x.low, x.high)]
        ends["floor_div"] = (min(quotients), max(quotients))
    low, high = ends[op]
    if max(abs(low), abs(high)) > LARGEST_INTEGER or any(
            v.name in program.arrays and v.largest > 9 for v in uses):
        raise Skip()
    return program.emit(op, shape, {"x": x.name, "y": text}, low, high, 1.0,
                        uses=uses,
                        dtype="bool" if op in ("less", "equal") else "int32")


def moved(program):
    """Integers and bools in other places and shapes."""
    found = [v for v in program.values if v.dtype in MOVED and v.rank >= 1]
    if not found:
        raise Skip()
    x = program.pick(found)
    op = program.pick(("transpose", "reshape", "reverse", "tile", "concat",
                       "expand_dims", "slice_by_size"))
    arguments, shape = {"x": x.name}, list(x.shape)
    if op == "transpose":
        order = list(range(x.rank))
        program.random.shuffle(order)
        arguments["perm"] = ints(order)
        shape = [x.shape[axis] for axis in order]
    elif op == "reshape":
        shape = [size(x.shape)]
        arguments["shape"] = ints(shape)
    elif op == "reverse":
        arguments["axes"] = ints([program.random.randrange(x.rank)])
    elif op == "tile":
        reps = [program.random.choice((1, 1, 2, 3)) for _ in shape]
        shape = [e * r for e, r in zip(shape, reps)]
        arguments["reps"] = ints(reps)
    elif op == "concat":
        axis = program.random.randrange(x.rank)
        shape[axis] *= 2
        arguments = {"values": f"({x.name}, {x.name})",
                     "axis": f"int32({axis})", "interleave": flag(False)}
    elif op == "expand_dims":
        if x.rank == 5:
            raise Skip()
        shape.insert(1, 1)
        arguments["axes"] = ints([1])
    else:
        begin = [program.random.randrange(e) for e in shape]
        shape = [program.random.randint(1, e - b)
                 for e, b in zip(shape, begin)]
        arguments.update(begin=ints(begin), size=ints(shape))
    return program.emit(op, shape, arguments, x.low, x.high, x.grain, uses=[x],
                        dtype=x.dtype)


def reduced(program):
    """The largest, the smallest and the sum of integers."""
    x = numbers(program)
    if x.rank == 0:
        raise Skip()
    axis = program.random.randrange(x.rank)
    op = program.pick(("reduce_max", "reduce_min", "reduce_sum"))
    low, high = x.low, x.high
    if op == "reduce_sum":
        low, high = low * x.shape[axis], high * x.shape[axis]
        if max(abs(low), abs(high)) > LARGEST_INTEGER or x.largest > 9:
            raise Skip()
    shape = list(x.shape)
    shape[axis] = 1
    return program.emit(op, shape, {"x": x.name, "axes": ints([axis]),
                                    "keep_dims": flag(True)}, low, high, 1.0,
                        uses=[x], dtype="int32")


def chosen(program):
    """A choice between integers, by bools of their shape."""
    x = numbers(program)
    conditions = [v for v in program.values if v.dtype == "bool"
                  and v.shape == x.shape]
    if not conditions:
        raise Skip()
    cond = program.pick(conditions)
    other = program.random.randint(-5, 5)
    return program.emit("select", x.shape,
                        {"cond": cond.name, "a": x.name,
                         "b": f"int32({other})"}, min(x.low, other),
                        max(x.high, other), 1.0, uses=[x, cond],
                        dtype="int32")


OPS = [(to_integers, 0.6), (to_floats, 0.6), (other_float, 0.4),
       (arithmetic, 1), (moved, 0.8), (reduced, 0.3), (chosen, 0.4)]
