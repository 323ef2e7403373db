"""Draws whole programs. `make(seed)` is the same program for the same seed."""
import blocks
import chains
import choices
import composed
import elements
import images
import integers
import layers
import layout
import weights
from program import Program, Skip

OPS = [op for module in (elements, layers, layout, choices, composed, images,
                             integers, weights)
       for op in module.OPS]
FUNCTIONS = [function for function, _ in OPS]
WEIGHTS = [weight for _, weight in OPS]
ATTEMPTS = 200


def make(seed):
    program = Program(seed)
    if program.chained:
        chains.build(program)
        return program
    if program.attends:
        blocks.build(program)
        return program
    wanted = program.random.choices(range(1, 9), (30, 22, 15, 10, 8, 6, 5,
                                                  4))[0]
    for _ in range(ATTEMPTS):
        if len(program.ops) >= wanted:
            break
        inputs, values = len(program.inputs), len(program.values)
        statements, ops = len(program.statements), len(program.ops)
        op = program.random.choices(FUNCTIONS, WEIGHTS)[0]
        try:
            op(program)
        except (Skip, OverflowError):
            # Inputs that were made for nothing would be unused.
            for value in program.inputs[inputs:]:
                del program.arrays[value.name]
            del program.inputs[inputs:]
            del program.values[values:]
            del program.statements[statements:]
            del program.ops[ops:]
    return program
