"""Ops that become others first: recurrent layers, products of many elements."""
import math

import numpy as np

from layers import summed
from program import Skip, flag, ints, size, string

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
    # Those of lstm alone keep it bounded whatever they are.
    for name in ("activation", "recurrent_activation", "cell_activation"):
        if program.chance(0.2) and (op == "lstm" or name == "activation"):
            arguments[name] = string(program.pick(("tanh", "sigmoid")))
    if op == "gru" and program.opset >= 18 and program.chance(0.5):
        arguments["reset_after"] = flag(program.chance(0.7))
        arguments["input_bias"] = program.tensor(
            program.numbers([rows], -0.5, 0.5, 2.0**-6)[0])
    if op == "lstm" and program.chance(0.2):
        arguments["clip"] = program.scalar(0.75)
    if op == "lstm" and program.chance(0.2):
        for suffix in ("", "_back")[:sides]:
            arguments["peephole" + suffix] = program.tensor(
                program.numbers([3 * hidden], -0.5, 0.5, 2.0**-6)[0])
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


OPS = [(recurrent, 0.8), (reduce_prod, 0.8), (matmul_left, 1),
       (power_of_constant, 0.4)]
