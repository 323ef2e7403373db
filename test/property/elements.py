"""Ops on single elements: functions, arithmetic, comparisons, choices.

The bounds of functions are those of docs/op-accuracy.md: absolute up to values
of 1, relative beyond."""
import math

from program import (MAX_INPUTS, ROUNDING, Skip, const_text, integer, size,
                     string)

# name: (absolute, relative, range of x that is drawn for it, function, largest
# slope in the range). The function is monotonous or has its extremes at 0.
FUNCTIONS = {
    "abs": (0, 0, None, abs, 1),
    "relu": (0, 0, None, lambda x: max(x, 0), 1),
    "relu6": (0, 0, None, lambda x: min(max(x, 0), 6), 1),
    "identity": (0, 0, None, lambda x: x, 1),
    "square": (0, 0, (-16, 16), lambda x: x * x, 32),
    "sigmoid": (3.4e-3, 0, None, lambda x: 1 / (1 + math.exp(-x)), 0.25),
    "tanh": (1.7e-3, 0, None, math.tanh, 1),
    "silu": (1.5e-2, 3.2e-3, None, lambda x: x / (1 + math.exp(-x)), 1.1),
    "exp": (5.5e-4, 2.9e-3, (-20, 4), math.exp, 55),
    "exp2": (4.9e-4, 8.8e-4, (-20, 5), lambda x: 2**x, 23),
    "erf": (8.7e-4, 0, None, math.erf, 1.13),
    "sqrt": (6e-4, 9.2e-4, (0.25, 4000), math.sqrt, 1),
    "sin": (3.3e-3, 0, (-10, 10), None, 1),
    "cos": (6e-3, 0, (-10, 10), None, 1),
    "tan": (1.9e-3, 1.7e-2, (-1.25, 1.25), math.tan, 10.1),
    "atan": (6.9e-4, 9.7e-4, None, math.atan, 1),
    "asin": (9.8e-4, 1.1e-3, (-0.9, 0.9), math.asin, 2.3),
    "acos": (1.5e-3, 1.4e-3, (-0.9, 0.9), lambda x: math.acos(x), 2.3),
    "atanh": (1.1e-3, 1.1e-3, (-0.9, 0.9), math.atanh, 5.3),
    "sinh": (1.8e-3, 4.1e-3, (-4, 4), math.sinh, 27.4),
    "cosh": (0, 4.1e-3, (-4, 4), math.cosh, 27.4),
    "softplus": (1.1e-3, 1.1e-3, None, lambda x: math.log1p(math.exp(-abs(x)))
                 + max(x, 0), 1),
    "softsign": (2e-3, 0, None, lambda x: x / (1 + abs(x)), 1),
}
NOT_MONOTONOUS = {"sin", "cos"}
# How far down sigmoid(x) * x and its like go below both ends.
DIPS = {"silu": -0.3}
# These keep multiples of a grain.
KEEPING = {"abs", "relu", "relu6", "identity"}


def function(program, op):
    absolute, relative, domain, compute, slope = FUNCTIONS[op]
    low, high = domain or (-1e9, 1e9)
    x = program.operand(lambda v: v.low >= low and v.high <= high
                        and v.high < 700) \
        if domain is None or program.chance(0.5) else \
        program.new_input(program.shape(), low=max(low, -20),
                          high=min(high, 20))
    if x.low < low or x.high > high or x.dtype == "bool":
        raise Skip()
    if op in NOT_MONOTONOUS:
        least, most = -1.0, 1.0
    else:
        ends = [compute(x.low), compute(x.high)]
        if x.low < 0 < x.high:
            ends.append(compute(0.0))
        least, most = min(ends), max(ends)
        least = min(least, DIPS.get(op, least)) if x.low < 0 else least
    largest = max(abs(least), abs(most))
    grain = x.grain if op in KEEPING else None
    if op == "square" and x.grain:
        grain = x.grain**2
    error = slope * x.error + absolute + relative * largest
    return program.emit(op, x.shape, {"x": x.name}, least, most, grain, error,
                        extra=2, uses=[x])


def away_from_zero(program, op, compute, slope, absolute, relative):
    """Functions of x + epsilon that grow without bound near 0."""
    x = program.operand(lambda v: v.low >= 0.25 and v.high < 4000) \
        if program.chance(0.5) else \
        program.new_input(program.shape(), low=0.25, high=16)
    epsilon = program.pick((0.125, 2.0**-10))
    ends = [compute(x.low + epsilon), compute(x.high + epsilon)]
    error = slope * x.error + absolute + relative * max(map(abs, ends))
    return program.emit(op, x.shape,
                        {"x": x.name, "epsilon": program.scalar(epsilon)},
                        min(ends), max(ends), None, error, extra=3, uses=[x])


def log(program):
    return away_from_zero(program, "log", math.log, 4, 8.2e-4, 1.1e-3)


def rsqrt(program):
    return away_from_zero(program, "rsqrt", lambda x: x**-0.5, 4, 9.8e-4,
                          1.4e-3)


def inverse(program):
    return away_from_zero(program, "inverse", lambda x: 1 / x, 16, 5.7e-4,
                          8.4e-4)


def steps(program):
    """Rounded numbers: only of what both sides know in every bit."""
    x = program.operand(lambda v: v.exact and v.largest <= 1000)
    op = program.pick(("floor", "ceil", "round", "sign"))
    low, high = (-1, 1) if op == "sign" else (math.floor(x.low),
                                              math.ceil(x.high))
    return program.emit(op, x.shape, {"x": x.name}, low, high, 1.0, uses=[x])


def bounded(program):
    """clip, threshold, thresholded_relu, leaky_relu, linear_activation."""
    x = program.operand(lambda v: v.largest <= 500)
    op = program.pick(("clip", "threshold", "leaky_relu", "linear_activation",
                       "thresholded_relu", "clamped_relu", "sigmoid_hard",
                       "scaled_tanh", "elu"))
    a = program.pick((-1.5, -0.5, 0.25, 0.5, 1.0))
    b = program.pick((1.5, 2.0, 3.0))
    arguments = {"x": x.name, "alpha": program.scalar(a)}
    grain = min(x.grain, 0.25) if x.grain else None
    product = x.grain * 0.25 if x.grain else None
    error, extra = x.error, 2
    if op == "clip":
        low, high = a, b
        arguments["beta"] = program.scalar(b)
    elif op == "threshold":
        low, high = a, max(x.high, a)
    elif op == "leaky_relu":
        a = min(abs(a), 1.0)
        arguments["alpha"] = program.scalar(a)
        low, high, grain = min(x.low, 0), max(x.high, 0), product
    elif op == "linear_activation":
        arguments["beta"] = program.scalar(b)
        ends = [a * x.low + b, a * x.high + b]
        low, high, grain = min(ends), max(ends), product
        error *= abs(a)
    elif op == "thresholded_relu":
        if not x.exact:
            raise Skip()
        low, high, grain = min(x.low, 0), max(x.high, 0), x.grain
    elif op == "clamped_relu":
        a = abs(a)
        arguments.update(alpha=program.scalar(a), beta=program.scalar(b))
        low, high, grain = min(a * x.low, 0), b, product
    elif op == "sigmoid_hard":
        a = abs(a)
        arguments.update(alpha=program.scalar(a), beta=program.scalar(0.5))
        low, high, grain = 0, 1, product
        error = a * error + 2.9e-4 + 4 * ROUNDING
    elif op == "elu":
        a = abs(a)
        arguments["alpha"] = program.scalar(a)
        low, high, grain = -a, max(x.high, 0), None
        error += 2e-3
    else:
        a, scale = abs(a), program.pick((0.5, 1.0))
        arguments.update(alpha=program.scalar(a), beta=program.scalar(scale))
        low, high, grain = -a, a, None
        error = a * scale * error + a * 2e-3
    return program.emit(op, x.shape, arguments, low, high, grain, error, extra,
                        [x])


def per_channel(program):
    """prelu and softplus_parametric."""
    x = program.operand(lambda v: v.rank in (3, 4, 5) and v.largest <= 60)
    alpha, grain = program.numbers([x.shape[1]], 0.25, 1.5, 0.25)
    arguments = {"x": x.name, "alpha": program.tensor(alpha)}
    if program.chance(0.6):
        kept = x.grain * grain if x.grain else None
        return program.emit("prelu", x.shape, arguments, min(1.5 * x.low, 0),
                            max(x.high, 0), kept, 1.5 * x.error, 3, [x])
    arguments["beta"] = program.tensor(
        program.numbers([x.shape[1]], 0.5, 1, 0.25)[0])
    high = 1.5 * math.log1p(math.exp(max(x.high, 0)))
    return program.emit("softplus_parametric", x.shape, arguments, 0, high,
                        None, 1.5 * x.error + 3e-3 + 3e-3 * high, 6, [x])


def gelu(program):
    x = program.operand(lambda v: v.largest < 700)
    mode = program.pick(("EXACT", "TANH_APPROXIMATION",
                         "SIGMOID_APPROXIMATION"))
    high = max(x.high, 0)
    return program.emit("gelu", x.shape,
                        {"x": x.name, "mode": string(mode)}, -0.2, high, None,
                        1.2 * x.error + 6.3e-3 + 2.7e-3 * high, 3, [x])


def powers(program):
    x = program.operand(lambda v: v.low >= 0.25 and v.high <= 8) \
        if program.chance(0.3) else \
        program.new_input(program.shape(), low=0.25, high=8)
    y = program.pick((2.0, 3.0, 0.5, -1.0, -0.5, 1.5, 1.0))
    ends = [x.low**y, x.high**y]
    slope = abs(y) * max(x.low**(y - 1), x.high**(y - 1))
    error = slope * x.error + 1e-3 + 1.2e-2 * max(ends)
    return program.emit("pow", x.shape, {"x": x.name, "y": program.scalar(y)},
                        min(ends), max(ends), None, error, 4, [x])


# Two operands.


def partner_shape(program, shape):
    """A shape that broadcasts with this one, and what comes out."""
    other = [1 if program.chance(0.3) else extent for extent in shape]
    if program.chance(0.25):
        other = other[program.random.randint(0, len(other)):]
    if program.chance(0.1):
        other = [1] * len(other)
    result = list(shape)
    for i, extent in enumerate(reversed(other)):
        at = len(shape) - 1 - i
        if shape[at] == 1 and program.chance(0.3):
            extent = program.random.randint(1, 5)
            other[len(other) - 1 - i] = extent
        result[at] = max(shape[at], extent)
    if len(shape) < 5 and program.chance(0.08):
        extra = program.random.randint(1, 3)
        other = [extra] + [1] * (len(shape) - len(other)) + other
        result = [extra] + result
    return other, result


def broadcast(a, b):
    """The shape of both together, or None."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    shorter = [1] * (len(longer) - len(shorter)) + list(shorter)
    if any(p != q and 1 not in (p, q) for p, q in zip(longer, shorter)):
        return None
    return [max(p, q) for p, q in zip(longer, shorter)]


def other_operand(program, x, low=None, high=None, exact=False):
    """Text, result shape and (low, high, grain, error) of a second operand."""
    found = [v for v in program.values if v.is_float
             and broadcast(x.shape, v.shape) and (not exact or v.exact)
             and (low is None or v.low >= low and v.high <= high)]
    if found and program.chance(0.4):
        y = program.pick(found)
        shape = broadcast(x.shape, y.shape)
    else:
        other, shape = partner_shape(program, x.shape)
        if size(shape) > program.max_elements:
            raise Skip()
        bounds = (-3, 3) if low is None else (low, high)
        if program.chance(0.45) and size(other) <= 600:
            array, grain = program.numbers(other, *bounds,
                                           0.5 if exact else None)
            return (program.tensor(array), shape,
                    (array.min(), array.max(), grain, 0.0), [])
        if len(program.inputs) >= MAX_INPUTS:
            raise Skip()
        y = program.new_input(other, low=low, high=high)
    return y.name, shape, (y.low, y.high, y.grain, y.error), [y]


def grains(a, b):
    return min(a, b) if a and b else None


def arithmetic(program):
    x = program.operand()
    op = program.pick(("add", "add", "sub", "mul", "mul", "maximum",
                       "minimum"))
    y, shape, (low, high, grain, error), uses = other_operand(program, x)
    error_x = x.error
    arguments = {"x": x.name, "y": y}
    a, b = (x.low, x.high), (low, high)
    if program.chance(0.3):
        arguments = {"x": y, "y": x.name}
        if op == "sub":
            a, b = b, a
    if op == "add":
        ends = (a[0] + b[0], a[1] + b[1])
    elif op == "sub":
        ends = (a[0] - b[1], a[1] - b[0])
    elif op == "mul":
        ends = [p * q for p in a for q in b]
        largest = max(abs(low), abs(high))
        error, error_x = error * x.largest, error_x * (largest + error)
    else:
        choose = max if op == "maximum" else min
        ends = (choose(a[0], b[0]), choose(a[1], b[1]))
    both = grains(x.grain, grain)
    if op == "mul" and both:
        both = x.grain * grain
    return program.emit(op, shape, arguments, min(ends), max(ends), both,
                        error + error_x, 1, uses + [x])


def divide(program):
    x = program.operand(lambda v: v.largest <= 500)
    y, shape, (low, high, _, error), uses = other_operand(program, x, 0.5, 4)
    largest = x.largest / low
    bound = x.error / low + error * largest / low + 4e-4 * x.largest \
        + 3e-3 * largest
    return program.emit("real_div", shape, {"x": x.name, "y": y},
                        -largest, largest, None, bound, 3, uses + [x])


def divide_down(program):
    """Quotients of integers, where both sides must find the same one."""
    x = program.operand(lambda v: v.grain == 1.0 and v.exact
                        and v.largest <= 64)
    op = program.pick(("floor_div", "mod"))
    y = float(program.pick((1, 2, 3, 4, 5, -2, -3)))
    if op == "mod":
        low, high = min(0, y), max(0, y)
    else:
        ends = (x.low / y, x.high / y)
        low, high = math.floor(min(ends)), math.ceil(max(ends))
    return program.emit(op, x.shape, {"x": x.name, "y": program.scalar(y)},
                        low, high, 1.0, 0.0, 0, [x])


def compare(program):
    x = program.operand(lambda v: v.exact)
    op = program.pick(("equal", "not_equal", "greater", "greater_equal",
                       "less", "less_equal"))
    y, shape, _, uses = other_operand(program, x, exact=True)
    return program.emit(op, shape, {"x": x.name, "y": y}, 0, 1, 1.0, 0.0, 0,
                        uses + [x], "bool")


def bools(program, shape=None):
    found = [v for v in program.values if v.dtype == "bool"
             and (shape is None or broadcast(v.shape, shape) == list(shape))]
    if found and program.chance(0.8):
        return program.pick(found)
    if len(program.inputs) >= MAX_INPUTS:
        raise Skip()
    return program.new_input(program.shape() if shape is None else
                             [1 if program.chance(0.2) else e for e in shape],
                             "bool")


def logic(program):
    x = bools(program)
    op = program.pick(("logical_and", "logical_or", "logical_xor",
                       "logical_not"))
    if op == "logical_not":
        return program.emit(op, x.shape, {"x": x.name}, 0, 1, 1.0, uses=[x],
                            dtype="bool")
    y = bools(program, x.shape)
    return program.emit(op, x.shape, {"x": x.name, "y": y.name}, 0, 1, 1.0,
                        uses=[x, y], dtype="bool")


def select(program):
    x = program.operand()
    y, shape, (low, high, grain, error), uses = other_operand(program, x)
    cond = bools(program, shape)
    if broadcast(cond.shape, shape) != list(shape):
        raise Skip()
    return program.emit("select", shape,
                        {"cond": cond.name, "a": x.name, "b": y},
                        min(x.low, low), max(x.high, high),
                        grains(x.grain, grain), error + x.error, 1,
                        uses + [x, cond])


def cast(program):
    """To bool and back, and to the other float and back."""
    if program.chance(0.5):
        x = bools(program)
        return program.emit("cast", x.shape,
                            {"x": x.name, "dtype": string(program.dtype)}, 0,
                            1, 1.0, uses=[x])
    x = program.operand(lambda v: v.exact)
    return program.emit("cast", x.shape, {"x": x.name, "dtype":
                                          string("bool")}, 0, 1, 1.0,
                        uses=[x], dtype="bool")


def quantized(program):
    """Through 8 bits and back."""
    if program.opset < 17:
        raise Skip()
    x = program.operand(lambda v: v.exact and v.grain and v.grain >= 2.0**-4)
    kind = program.pick(("int8", "uint8"))
    lowest, zeros = (0, (0, 9)) if kind == "uint8" else (-128, (-3, 3))
    axis = program.random.randrange(x.rank) \
        if x.rank and program.chance(0.4) else None
    count = 1 if axis is None else x.shape[axis]
    scales = [program.pick((0.25, 0.5, 1.0)) for _ in range(count)]
    offsets = [program.random.randint(*zeros) for _ in range(count)]
    if axis is None:
        shared = {"scale": program.scalar(scales[0]),
                  "zero_point": f"{kind}({offsets[0]})"}
    else:
        shared = {"scale": const_text(scales, program.dtype),
                  "zero_point": const_text(offsets, kind),
                  "axis": integer(axis)}
    name = f"c{program.constants + 1}"
    program.constants += 1
    program.statements.append(
        ([name], f"tensor<{kind}, {x.shape}> {name} = quantize("
         f"input = {x.name}, output_dtype = {string(kind)}, "
         + ", ".join(f"{key} = {text}" for key, text in shared.items())
         + ");"))
    ends = [scale * (max(lowest, min(lowest + 255, round(end / scale) + zero))
                     - zero) for end in (x.low, x.high)
            for scale, zero in zip(scales, offsets)]
    result = program.emit("dequantize", x.shape, {"input": name, **shared},
                          min(ends), max(ends), min(scales), 0.0, 0, [x])
    program.ops.append("quantize")
    return result


OPS = [(lambda program, op=op: function(program, op), 0.45)
       for op in FUNCTIONS]
OPS += [(log, 0.5), (rsqrt, 0.5), (inverse, 0.5), (steps, 1), (bounded, 3),
        (per_channel, 1), (gelu, 0.5), (powers, 1), (arithmetic, 8),
        (divide, 1.5), (divide_down, 0.7), (compare, 1.5), (logic, 1),
        (select, 2), (cast, 1), (quantized, 0.5)]
