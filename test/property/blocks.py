"""Attention whose scores the scratchpad does not hold: blocks of matrices and of
rows go through it, with what layers in between read for them."""
import layout
from program import LARGE, Skip, flag, integer, ints, size

# Of weights that add up to 1, and of what they are multiplied with.
SOFTMAX_ERROR = 0.03


def divisors(number):
    return [n for n in range(1, number + 1) if number % n == 0]


def batches(program, count):
    """So many matrices as one dimension or as two."""
    if program.chance(0.4):
        return [count]
    first = program.pick(divisors(count))
    return [first, count // first]


def product(program, outer, rows, inner, columns, x, y, error):
    """x [.., rows, inner] or turned, times y [.., inner, columns] or turned."""
    turned = [x.shape[-1] != inner or x.shape[-2] != rows,
              y.shape[-1] != columns or y.shape[-2] != inner]
    reach = inner * x.largest * y.largest if error is None else y.largest
    arguments = {"x": x.name, "y": y.name, "transpose_x": flag(turned[0]),
                 "transpose_y": flag(turned[1])}
    return program.emit("matmul", outer + [rows, columns], arguments, -reach,
                        reach, 1.0 if error is None else None, error or 0.0, 1,
                        [x, y])


def matrices(program, outer, rows, columns, high):
    shape = [columns, rows] if program.chance(0.5) else [rows, columns]
    return program.new_input(outer + shape, low=-high, high=high, grain=1.0)


def regroup(program, x):
    """The same matrices, the batch in other dimensions."""
    outer = batches(program, size(x.shape[:-2]))
    return layout.keep(program, "reshape", x, outer + x.shape[-2:],
                       {"x": x.name, "shape": ints(outer + x.shape[-2:])})


def bias(program, x):
    """One number for all or for each, along every dimension."""
    if len(program.inputs) >= 6:
        raise Skip()
    shape = [1 if program.chance(0.5) else extent for extent in x.shape]
    y = program.new_input(shape, low=-8, high=8, grain=1.0)
    operands = [x.name, y.name]
    program.random.shuffle(operands)
    return program.emit("add", x.shape, dict(zip("xy", operands)),
                        x.low + y.low, x.high + y.high, 1.0, 0.0, uses=[x, y])


def clamp(program, x):
    return program.emit("relu", x.shape, {"x": x.name}, 0, max(x.high, 0), 1.0,
                        0.0, uses=[x])


def between(program, x, functions, weights):
    for _ in range(program.random.randint(1, 6)):
        try:
            x = program.random.choices(functions, weights)[0](program, x)
        except Skip:
            pass
    return x


def build(program):
    """Fills a program with one attention."""
    program.max_elements = 3 * LARGE
    rows = program.pick((96, 130, 160, 192, 250, 256, 333))
    keys = rows if program.chance(0.7) else program.pick((96, 192, 250, 400))
    depth, width = (program.pick((4, 6, 8)) for _ in range(2))
    count = LARGE // (rows * keys) + program.random.randint(0, 6)
    count += count % 2
    outer = batches(program, count)
    q = matrices(program, outer, rows, depth, 4)
    k = matrices(program, outer, depth, keys, 4)
    scores = product(program, outer, rows, depth, keys, q, k, None)
    scores = between(program, scores, (regroup, bias, clamp), (5, 5, 1))
    weights = program.emit("softmax", scores.shape,
                           {"x": scores.name, "axis": integer(-1)}, 0, 1, None,
                           SOFTMAX_ERROR, 4, [scores])
    if program.chance(0.15):
        return
    weights = between(program, weights, (regroup,), (1,))
    outer = weights.shape[:-2]
    v = matrices(program, outer, keys, width, 4)
    product(program, outer, rows, keys, width, weights, v,
            SOFTMAX_ERROR * v.largest)
