"""A random MIL program as it grows: values with what is known of them.

A Value knows between which numbers its elements lie, and how far engine and
reference interpreter may be apart. Values of which every element is a multiple
of `grain`, few enough to be exact in fp16, must agree in every bit; that is how
most programs start, and what copies, sums and products of small integers keep.
"""
import math
import random
import re

import numpy as np

# Half the distance of neighbouring fp16 numbers, as a part of the number, and
# below the normal numbers.
ROUNDING = 2.0**-11
TINY = 2.0**-24
# Operands of the multipliers below this count as zero.
FLUSHED = 2.0**-14
# Multiples of a grain up to this many grains are exact in fp16.
EXACT_GRAINS = 2048
# Sums beyond 2^15 overflow in the multipliers.
LARGEST = 8000.0
# Elements of a value, in most programs and in those of large values.
SMALL = 20000
LARGE = 600000
MAX_INPUTS = 5
# Of inputs, constants and results.
NAME = re.compile(r"\b[xcv]\d+\b")


class Skip(Exception):
    """The op does not apply to what there is."""


def size(shape):
    return math.prod(shape)


class Value:
    """`error` bounds the difference between the two implementations."""

    def __init__(self, name, shape, low, high, grain=None, error=0.0,
                 dtype="fp16"):
        self.name, self.shape, self.dtype = name, list(shape), dtype
        self.low, self.high = float(low), float(high)
        self.grain, self.error = grain, error
        # Of the other type of floats, for the op that made it.
        self.is_apart = False

    @property
    def rank(self):
        return len(self.shape)

    @property
    def largest(self):
        return max(abs(self.low), abs(self.high))

    @property
    def is_float(self):
        return self.dtype.startswith("fp") and not self.is_apart

    @property
    def exact(self):
        return self.error == 0


def type_text(dtype, shape):
    return f"tensor<{dtype}, [{', '.join(map(str, shape))}]>"


def number_text(value, dtype):
    if dtype == "bool":
        return "true" if value else "false"
    return repr(float(value)) if dtype.startswith("fp") else str(int(value))


def const_text(array, dtype):
    """The array as an inline value of MIL."""
    array = np.asarray(array)

    def nested(part):
        if part.ndim == 0:
            return number_text(part.item(), dtype)
        return "[" + ", ".join(map(nested, part)) + "]"

    if array.ndim == 0:
        return f"{dtype}({number_text(array.item(), dtype)})"
    return f"{type_text(dtype, array.shape)}({nested(array)})"


def ints(values):
    return const_text(np.array(list(values), dtype=np.int64), "int32")


def integer(value):
    return f"int32({value})"


def flag(value):
    return f"bool({'true' if value else 'false'})"


def string(text):
    return f'string("{text}")'


class Program:
    """Statements, inputs and values of one program, drawn from `seed`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.opset = self.random.choice((15, 16, 17, 18, 18, 18))
        self.dtype = "fp32" if self.random.random() < 0.06 else "fp16"
        # A few have extents about the limits of the target, values that do not
        # fit where a task has its operands, one such value after the other, or
        # scores of attention of that size.
        kind = self.random.random()
        self.limits = kind < 0.03
        self.large = 0.03 <= kind < 0.07
        self.chained = 0.07 <= kind < 0.10
        self.attends = 0.10 <= kind < 0.107
        self.max_elements = LARGE if self.limits or self.large else SMALL
        self.statements, self.inputs, self.values = [], [], []
        self.arrays = {}
        self.ops = []
        self.used = set()
        self.constants = 0
        self.keeps_unused = self.random.random() < 0.05
        self.states_layouts = self.opset >= 17 and self.random.random() < 0.05

    # Drawing.

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        items = list(items)
        if not items:
            raise Skip()
        return self.random.choice(items)

    def extent(self):
        pick = self.random.random()
        if pick < 0.25:
            return 1
        if pick < 0.8:
            return self.random.randint(2, 9)
        return self.random.choice((12, 15, 16, 17, 20, 31, 32, 33, 40, 63, 64,
                                   65))

    def shape(self, rank=None):
        if self.limits and rank is None and self.chance(0.7):
            return list(self.random.choice((
                (1, 1, 1, 16384), (1, 1, 16384, 1), (1, 16384), (2, 3, 8192),
                (1, 16400, 1, 1), (1, 65536, 1, 1), (1, 1, 1, 16385),
                (1, 1, 20000, 1), (3, 4097), (8193, 2), (1, 65537, 1, 1),
                (1, 2, 3, 1, 1000), (1, 16385, 1), (5000,), (1, 1, 1, 1, 1, 3),
                (257, 1, 1, 3), (1, 1023, 1, 5), (1, 2049, 2, 2))))
        if self.large and self.chance(0.7):
            return self.large_shape(rank)
        if rank is None:
            rank = self.random.choices(range(6), (2, 7, 14, 22, 43, 12))[0]
        for _ in range(50):
            shape = [self.extent() for _ in range(rank)]
            if rank >= 4 and self.chance(0.7):
                shape[0] = 1
            if size(shape) <= 4096:
                return shape
        return [1] * rank

    def large_shape(self, rank):
        rank = rank or self.random.randint(1, 5)
        shape = [1] * rank
        for _ in range(50):
            axis = self.random.randrange(rank)
            shape[axis] = self.random.choice((3, 17, 31, 64, 129, 250, 255,
                                              512, 700, 1024, 2000))
            if size(shape) > LARGE // 3:
                shape[axis] = 1
        return shape

    # Values.

    def new_input(self, shape, dtype=None, low=None, high=None, grain=None):
        """An input of numbers that fp16 holds: small integers and their parts,
        of which even products stay exact, or any."""
        dtype = dtype or self.dtype
        numbers = np.random.Generator(
            np.random.PCG64(self.random.getrandbits(64)))
        name = f"x{len(self.inputs)}"
        if dtype == "bool":
            value = Value(name, shape, 0, 1, grain=1.0, dtype="bool")
            array = numbers.integers(0, 2, size=shape).astype(np.bool_)
        elif dtype == "int32":
            value = Value(name, shape, low, high, grain=1.0, dtype="int32")
            array = numbers.integers(low, high + 1, size=shape)
        elif grain or (low is None and self.chance(0.65)):
            grain = grain or self.random.choice((1.0, 1.0, 0.5, 0.25, 0.125))
            low, high = (-4.0, 4.0) if low is None else (low, high)
            array = numbers.integers(low / grain, high / grain + 1,
                                     size=shape) * grain
            value = Value(name, shape, low, high, grain=grain, dtype=dtype)
        else:
            low, high = (-4.0, 4.0) if low is None else (low, high)
            array = numbers.uniform(low, high, size=shape)
            value = Value(name, shape, low, high, grain=None, dtype=dtype)
        array = np.asarray(array)
        if dtype == "int32":
            array = array.astype(np.int32)
        elif dtype != "bool":
            array = array.astype(np.float16).astype(
                np.float32 if dtype == "fp32" else np.float16)
        self.inputs.append(value)
        self.arrays[name] = array
        self.values.append(value)
        return value

    def operand(self, ok=lambda value: True, make=None):
        """A value for which `ok` holds, the newest ones rather, or a new
        input."""
        if self.chance(0.03):
            return self.constant(ok, make)
        found = [value for value in self.values
                 if value.is_float and ok(value)]
        if found and not self.chance(0.1):
            weights = [2.0**min(i, 20) for i in range(len(found))]
            return self.random.choices(found, weights)[0]
        if len(self.inputs) >= MAX_INPUTS - 1 and found:
            return self.pick(found)
        for _ in range(20):
            shape = make() if make else self.shape()
            probe = Value("", shape, -4, 4, dtype=self.dtype)
            if ok(probe):
                return self.new_input(shape)
        raise Skip()

    def constant(self, ok, make):
        """A constant where other programs have a computed value."""
        shape = make() if make else self.shape()
        if size(shape) > 500:
            raise Skip()
        array, grain = self.numbers(shape)
        value = Value(self.define(const_text(array, self.dtype), shape), shape,
                      -2, 2, grain=grain, dtype=self.dtype)
        if not ok(value):
            raise Skip()
        return value

    def define(self, text, shape):
        """A statement that names a constant."""
        self.constants += 1
        name = f"c{self.constants}"
        self.statements.append(
            ([name], f"{type_text(self.dtype, shape)} {name} = "
             f"const()[val = {text}];"))
        return name

    def numbers(self, shape, low=-2, high=2, grain=None):
        """Constants; multiples of the grain, or with None drawn whether they
        are a few integers or any."""
        if grain is None:
            grain = self.random.choice((1.0, 1.0, 0.5, 2.0**-8))
        count = size(shape)
        steps = [self.random.randint(math.ceil(low / grain),
                                     math.floor(high / grain))
                 for _ in range(count)]
        return np.array(steps, np.float64).reshape(shape) * grain, grain

    def emit(self, op, shape, arguments, low, high, grain=None, error=0.0,
             extra=0.0, uses=(), dtype=None):
        """Appends a statement and yields its value. `error` is what operands
        and approximations contribute; the rounding of results is added, and
        `extra` times it."""
        values = self.emit_many(op, [(shape, low, high, grain, error)],
                                arguments, extra, uses, dtype)
        return values[0]

    def emit_many(self, op, results, arguments, extra=0.0, uses=(),
                  dtype=None, dtypes=None):
        """`dtypes` are those of the results where they differ."""
        dtypes = dtypes or [dtype or self.dtype] * len(results)
        values, count = [], len(self.values) + 1
        for (shape, low, high, grain, error), dtype in zip(results, dtypes):
            if size(shape) > self.max_elements or 0 in shape:
                raise Skip()
            largest = max(abs(low), abs(high))
            if not largest <= LARGEST:
                raise Skip()
            if grain is not None and (error > 0 or grain < 2.0**-12
                                      or largest / grain > EXACT_GRAINS):
                grain = None
            if grain is None and dtype != "bool":
                error += (2 + extra) * (ROUNDING * largest + TINY)
            if error > 0.25 * largest + 0.05:
                raise Skip()
            values.append(Value(f"v{count + len(values)}", shape, low, high,
                                grain, error, dtype))
        declared = ", ".join(f"{type_text(value.dtype, value.shape)} "
                             f"{value.name}" for value in values)
        listed = ", ".join(f"{key} = {text}" for key, text in
                           sorted(arguments.items()))
        self.statements.append(
            ([value.name for value in values], f"{declared} = {op}({listed});"))
        self.ops.append(op)
        for value in uses:
            self.used.add(value.name)
        self.values += values
        return values

    def scalar(self, number):
        return const_text(np.float64(number), self.dtype)

    def tensor(self, array):
        """Numbers as an argument: where it stands, or by name."""
        text = const_text(array, self.dtype)
        return self.define(text, array.shape) if self.chance(0.2) else text

    # Output.

    def outputs(self):
        """What nothing reads, now and then more, and even an input."""
        return [value for value in self.values
                if self.chance(0.01 if value.name in self.arrays else
                               0.2 if value.name in self.used else 1)]

    def layout(self, value):
        """Strides of a buffer, in elements: rows begin at multiples of 32, and
        there may be some between rows and planes."""
        drawn = random.Random(f"{self.seed} {value.name}")
        strides, step = [1], value.shape[-1]
        for extent in value.shape[-2::-1]:
            step = -(-step // 32) * 32
            if value.shape[-1] <= 16384:
                step += 32 * drawn.randint(0, 2)
            strides.insert(0, step)
            step *= extent
        return strides

    @staticmethod
    def port_text(value, layouts):
        if value.name not in layouts:
            return type_text(value.dtype, value.shape)
        ones = [1] * value.rank
        return (f"tensor_buffer<{value.dtype}, shape={value.shape}, "
                f"strides={layouts[value.name]}, interleave_factors={ones}>")

    def text(self, outputs):
        """The program with the statements that lead to the outputs."""
        needed, kept = {value.name for value in outputs}, []
        for names, statement in reversed(self.statements):
            if not needed.isdisjoint(names):
                kept.append(statement)
                needed.update(NAME.findall(statement))
        parameters = [value for value in self.inputs
                      if value.name in needed or self.keeps_unused]
        layouts = {value.name: self.layout(value)
                   for value in parameters + outputs
                   if self.states_layouts and value.dtype == "fp16"
                   and value.rank and (value.name not in self.arrays or
                                       value not in outputs)}
        listed = ", ".join(
            f"{self.port_text(value, layouts)} {value.name}"
            for value in parameters)
        body = [f"{type_text(value.dtype, value.shape)} {value.name}_t = "
                f"tensor_buffer_to_tensor(input = {value.name});"
                for value in parameters if value.name in layouts]
        body += [NAME.sub(lambda name: name[0] + "_t" * (name[0] in layouts),
                          statement) for statement in reversed(kept)]
        for value in outputs:
            if value.name in layouts:
                strides, ones = (const_text(numbers, dtype) for numbers, dtype
                                 in ((layouts[value.name], "int64"),
                                     ([1] * value.rank, "uint8")))
                body.append(f"{self.port_text(value, layouts)} {value.name} = "
                            "tensor_to_tensor_buffer(input = "
                            f"{value.name}_t, interleave_factors = {ones}, "
                            f"strides = {strides});")
        lines = [f"  func main<ios{self.opset}>({listed}) {{"]
        lines += ["    " + statement for statement in body]
        names = ", ".join(value.name for value in outputs)
        lines.append(f"  }} -> ({names});")
        text = "program(1.3)\n{\n" + "\n".join(lines) + "\n}\n"
        return text, parameters
