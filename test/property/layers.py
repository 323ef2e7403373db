"""Ops that sum: convolutions, pools, reductions, norms, products, resizing."""
import math

import numpy as np

from program import (FLUSHED, MAX_INPUTS, ROUNDING, Skip, flag, integer, ints, size,
                     string)


def padding(program, op, extent, kernel, stride, dilation, kind, lower):
    """(before, after, result extent) of one dimension."""
    reach = dilation * (kernel - 1) + 1
    if kind == "valid":
        before = after = 0
    elif kind == "custom" and op == "conv" and program.chance(0.15):
        # As many places as elements, whatever the steps.
        total = max((extent - 1) * stride + reach - extent
                    + program.random.randrange(stride), 0)
        before = program.random.randint(0, total)
        after = total - before
    elif kind == "custom":
        limit = max(min(kernel // 2, 3), 1) if op != "conv" else 3
        before, after = (program.random.randint(0, limit) for _ in range(2))
        if op != "conv":
            before, after = (min(v, kernel // 2) for v in (before, after))
    else:
        total = max((-(-extent // stride) - 1) * stride + reach - extent, 0)
        before, after = total // 2, total - total // 2
        if lower:
            before, after = after, before
    room = extent + before + after - reach
    if room < 0:
        raise Skip()
    return before, after, room // stride + 1


def window(program, op, x, dilate, largest):
    """Arguments and result extents of a window over the last dimensions."""
    count = x.rank - 2
    kernel = [program.random.choice([k for k in (1, 2, 3, 3, 4, 5, 7, largest)
                                     if k <= max(extent + 2, 1)])
              for extent in x.shape[2:]]
    strides = [program.random.choice((1, 1, 1, 2, 2, 3, 4, 5))
               for _ in range(count)]
    dilations = [program.random.choice((1, 1, 1, 1, 2, 3)) if dilate else 1
                 for _ in range(count)]
    kinds = ["valid", "same", "custom", "custom"]
    if program.opset >= 16:
        kinds.append("same_lower")
    kind = program.pick(kinds)
    pads, extents = [], []
    for e, k, s, d in zip(x.shape[2:], kernel, strides, dilations):
        before, after, result = padding(program, op, e, k, s, d, kind,
                                        kind == "same_lower")
        pads += [before, after]
        extents.append(result)
    arguments = {"x": x.name, "strides": ints(strides),
                 "pad_type": string(kind)}
    if kind == "custom" or program.chance(0.3):
        arguments["pad"] = ints(pads if kind == "custom" else [0] * 2 * count)
    if dilate:
        arguments["dilations"] = ints(dilations)
    return arguments, kernel, pads, strides, extents


def rounded_up(extent, kernel, stride, before, after):
    """Places of a window that may reach out behind, but does not begin there."""
    count = -(-(extent + before + after - kernel) // stride) + 1
    return count - ((count - 1) * stride >= extent + before)


def summed(program, op, shape, arguments, x, weights, bias, axis, uses):
    """A sum of products with these weights, `axis` of which counts results."""
    array, grain = weights
    other = tuple(i for i in range(array.ndim) if i != axis)
    total = float(np.abs(array).sum(axis=other).max())
    least, most = 0.0, 0.0
    bias_grain = None
    if bias is not None:
        values, bias_grain = bias
        least, most = float(values.min()), float(values.max())
    reach = total * x.largest
    both = x.grain * grain if x.grain and grain else None
    if both and bias is not None:
        both = min(both, bias_grain)
    error = total * (x.error + 2 * FLUSHED) + ROUNDING * reach
    if both and max(reach + abs(least), reach + abs(most)) / both <= 2048 \
            and x.exact:
        error = 0.0
    return program.emit(op, shape, arguments, min(-reach + least, 0),
                        max(reach + most, 0), both, error, 1, uses)


def conv(program):
    rank = program.pick((3, 4, 4, 4, 5))
    x = program.operand(lambda v: v.rank == rank and size(v.shape) <= program.max_elements // 4,
                        lambda: program.shape(rank))
    cin = x.shape[1]
    groups = 1
    if program.chance(0.35):
        groups = program.pick([g for g in range(1, cin + 1) if cin % g == 0])
    cout = groups * program.random.choice((1, 1, 2, 3, 4, 8))
    if groups == 1:
        cout = program.extent()
    arguments, kernel, _, _, extents = window(program, "conv", x, True, 13)
    if cout * cin // groups * size(kernel) > 3000 \
            or cout * size(extents) * x.shape[0] > program.max_elements:
        raise Skip()
    weights, uses = program.numbers([cout, cin // groups, *kernel]), [x]
    if program.chance(0.1) and len(program.inputs) < MAX_INPUTS:
        computed = program.new_input(weights[0].shape, low=-2, high=2)
        arguments["weight"] = computed.name
        weights = np.full(computed.shape, 2.0), computed.grain
        uses.append(computed)
    else:
        arguments["weight"] = program.tensor(weights[0])
    arguments["groups"] = integer(groups)
    bias = None
    if program.chance(0.5):
        bias = program.numbers([cout], -4, 4, 0.25)
        arguments["bias"] = program.tensor(bias[0])
    return summed(program, "conv", [x.shape[0], cout, *extents], arguments, x,
                  weights, bias, 0, uses)


def conv_transpose(program):
    rank = program.pick((3, 4, 4))
    x = program.operand(lambda v: v.rank == rank and size(v.shape) <= program.max_elements // 12,
                        lambda: program.shape(rank))
    cin, groups = x.shape[1], 1
    if program.chance(0.3):
        groups = program.pick([g for g in range(1, cin + 1) if cin % g == 0])
    part = program.random.choice((1, 1, 2, 3, 4))
    count = rank - 2
    kernel = [program.random.randint(1, 4) for _ in range(count)]
    strides = [program.random.choice((1, 2, 2, 3)) for _ in range(count)]
    dilations = [program.random.choice((1, 1, 1, 2)) for _ in range(count)]
    kind = program.pick(("valid", "valid", "custom", "custom", "same"))
    pads, extents = [], []
    for e, k, s, d in zip(x.shape[2:], kernel, strides, dilations):
        reach = d * (k - 1) + 1
        before, after = (program.random.randint(0, reach - 1)
                         if kind == "custom" else 0 for _ in range(2))
        pads += [before, after]
        extents.append(e * s if kind == "same"
                       else (e - 1) * s + reach - before - after)
    if min(extents) < 1 or cin * part * size(kernel) > 3000:
        raise Skip()
    weights = program.numbers([cin, part, *kernel])
    arguments = {"x": x.name, "weight": program.tensor(weights[0]),
                 "strides": ints(strides), "groups": integer(groups),
                 "dilations": ints(dilations),
                 "pad_type": string(kind)}
    if kind == "custom":
        arguments["pad"] = ints(pads)
    if program.chance(0.15):
        # So many elements, of which the last may get nothing.
        extents = [max(e + program.random.randint(-1, s - 1), 1)
                   for e, s in zip(extents, strides)]
        arguments["output_shape"] = ints([x.shape[0], part * groups, *extents])
    bias = None
    if program.chance(0.4):
        bias = program.numbers([part * groups], -4, 4, 0.25)
        arguments["bias"] = program.tensor(bias[0])
    return summed(program, "conv_transpose",
                  [x.shape[0], part * groups, *extents], arguments, x,
                  weights, bias, 1, [x])


def pool(program):
    rank = program.pick((3, 4, 4, 4))
    x = program.operand(lambda v: v.rank == rank,
                        lambda: program.shape(rank))
    op = program.pick(("max_pool", "max_pool", "avg_pool", "avg_pool",
                       "l2_pool"))
    arguments, kernel, pads, strides, extents = window(program, op, x, False,
                                                       13)
    arguments["kernel_sizes"] = ints(kernel)
    if "same" not in arguments["pad_type"] and program.chance(0.25):
        arguments["ceil_mode"] = flag(True)
        extents = [rounded_up(e, k, s, *pads[2 * i:2 * i + 2])
                   for i, (e, k, s) in enumerate(zip(x.shape[2:], kernel,
                                                     strides))]
    shape = x.shape[:2] + extents
    if op == "max_pool":
        return program.emit(op, shape, arguments, x.low, x.high, x.grain,
                            x.error, 0, [x])
    if op == "l2_pool":
        return program.emit(op, shape, arguments, 0,
                            x.largest * math.sqrt(size(kernel)), None,
                            root_error(x, size(kernel)), 2, [x])
    if program.chance(0.5):
        arguments["exclude_padding_from_average"] = flag(program.chance(0.6))
    return program.emit(op, shape, arguments, min(x.low, 0), max(x.high, 0),
                        None, x.error + FLUSHED, 4, [x])


def some_axes(program, x):
    count = program.random.randint(1, x.rank)
    if program.chance(0.5):
        axes = list(range(x.rank - count, x.rank))
    else:
        axes = sorted(program.random.sample(range(x.rank), count))
    shape = [1 if i in axes else e for i, e in enumerate(x.shape)]
    return axes, shape, size([x.shape[axis] for axis in axes])


def root_error(x, count):
    """Of the root of so many squares. Near 0 it has no bounded slope; what
    rounding makes of the sum comes out as its root."""
    return math.sqrt(count) * (x.error + 2e-3 * x.largest) + 1e-3 \
        + 0.02 * x.largest


def reduce(program):
    x = program.operand(lambda v: v.rank >= 1 and v.largest <= 500)
    op = program.pick(("reduce_sum", "reduce_mean", "reduce_max",
                       "reduce_min", "reduce_sum_square", "reduce_l1_norm",
                       "reduce_l2_norm", "reduce_log_sum_exp",
                       "reduce_log_sum"))
    if op == "reduce_log_sum" and x.low < 0.125:
        x = program.new_input(program.shape(program.random.randint(1, 5)),
                              low=0.25, high=8)
    axes, shape, count = some_axes(program, x)
    grain, error, low, high = x.grain, x.error, x.low, x.high
    extra = 2
    if op == "reduce_sum":
        low, high, error = low * count, high * count, error * count
    elif op == "reduce_mean":
        grain = None
    elif op == "reduce_sum_square":
        error *= 2 * x.largest * count
        low, high = 0, x.largest**2 * count
        grain = grain**2 if grain else None
    elif op == "reduce_l1_norm":
        low, high, error = 0, x.largest * count, error * count
    elif op == "reduce_l2_norm":
        high = x.largest * math.sqrt(count)
        error, low, grain = root_error(x, count), 0, None
    elif op == "reduce_log_sum":
        if x.low < 0.125:
            raise Skip()
        error = error / x.low + 1e-3
        low, high, grain = math.log(low * count), math.log(high * count), None
        error += 4e-3 + 3e-3 * max(abs(low), abs(high))
    elif op == "reduce_log_sum_exp":
        if x.high > 4 or count > 500:
            raise Skip()
        high, grain = high + math.log(count), None
        error += 4e-3 + 3e-3 * max(abs(low), abs(high))
    keep_dims = program.chance(0.6) or x.rank == 1
    if not keep_dims:
        shape = [e for i, e in enumerate(x.shape) if i not in axes]
    arguments = {"x": x.name, "axes": ints(axes)}
    if len(axes) == x.rank and program.chance(0.5):
        del arguments["axes"]
    if keep_dims or program.chance(0.5):
        arguments["keep_dims"] = flag(keep_dims)
    return program.emit(op, shape, arguments, low, high, grain, error, extra,
                        [x])


def softmax(program):
    x = program.operand(lambda v: v.rank >= 1 and v.largest <= 30)
    axis = program.random.randrange(x.rank)
    if program.chance(0.4):
        axis = x.rank - 1
    return program.emit("softmax", x.shape,
                        {"x": x.name, "axis": integer(
                            axis - x.rank if program.chance(0.5) else axis)},
                        0, 1, None, x.error + 6e-3, 4, [x])


def cumsum(program):
    x = program.operand(lambda v: v.rank >= 1)
    axis = program.random.randrange(x.rank)
    count = x.shape[axis]
    if count * size(x.shape) > 200000:
        raise Skip()
    reach = count * x.largest
    return program.emit("cumsum", x.shape,
                        {"x": x.name, "axis": integer(axis),
                         "exclusive": flag(program.chance(0.3)),
                         "reverse": flag(program.chance(0.3))},
                        -reach, reach, x.grain,
                        count * (x.error + (0 if x.grain else FLUSHED)), 1,
                        [x])


def norm(program):
    """Norms with an epsilon that keeps them from dividing by almost nothing."""
    op = program.pick(("layer_norm", "layer_norm", "instance_norm",
                       "batch_norm", "l2_norm", "local_response_norm"))
    ranks = {"layer_norm": (1, 2, 3, 4, 5), "instance_norm": (3, 4),
             "batch_norm": (3, 4, 5), "l2_norm": (3, 4),
             "local_response_norm": (3, 4)}[op]
    x = program.operand(lambda v: v.rank in ranks and v.largest <= 50,
                        lambda: program.shape(program.pick(ranks)))
    epsilon = program.pick((0.0625, 0.25, 1.0))
    steep = 2 / math.sqrt(epsilon)
    arguments = {"x": x.name}
    gamma, beta, reach, shift = None, None, 1.0, 0.0
    if op == "layer_norm":
        axes, _, count = some_axes(program, x)
        arguments["axes"] = ints(axes)
        parameters = [x.shape[axis] for axis in axes]
    else:
        parameters = [x.shape[1]]
        count = size(x.shape[2:])
    affine = op == "batch_norm" or op in ("layer_norm", "instance_norm") \
        and program.chance(0.6) and size(parameters) <= 2000
    if affine:
        gamma, _ = program.numbers(parameters, -2, 2, 0.25)
        beta, _ = program.numbers(parameters, -2, 2, 0.25)
        arguments.update(gamma=program.tensor(gamma),
                         beta=program.tensor(beta))
        reach, shift = 2.0, 2.0
    if op == "batch_norm":
        mean, _ = program.numbers(parameters, -2, 2, 0.25)
        variance, _ = program.numbers(parameters, 0.25, 4, 0.25)
        arguments.update(mean=program.tensor(mean),
                         variance=program.tensor(variance))
        if program.chance(0.5):
            arguments["epsilon"] = program.scalar(epsilon)
        high = reach * 2 * (x.largest + 2) + shift
        error = reach * 2 * x.error
        extra = 4
    elif op == "local_response_norm":
        length = program.pick([n for n in (1, 3, 5) if n <= x.shape[1]])
        arguments.update(size=integer(length), k=program.scalar(2),
                         alpha=program.scalar(0.5), beta=program.scalar(0.75))
        high, error, extra = x.largest, 2 * x.error, 8
        error += 1.2e-2 * high
        return program.emit(op, x.shape, arguments, -high, high, None, error,
                            extra, [x])
    else:
        arguments["epsilon"] = program.scalar(epsilon)
        if op == "l2_norm":
            # As of a sum of squares the rounding is that of its size.
            count = 1
        high = reach * math.sqrt(count) + shift
        error = reach * steep * (x.error + 4 * ROUNDING * x.largest) \
            + 6e-3 * (high + 1)
        extra = 6
    return program.emit(op, x.shape, arguments, -high, high, None, error,
                        extra, [x])


def linear(program):
    x = program.operand(lambda v: 1 <= v.rank <= 4 and v.shape[-1] <= 300)
    k, n = x.shape[-1], program.extent()
    if k * n > 3000:
        raise Skip()
    weights = program.numbers([n, k])
    arguments = {"x": x.name, "weight": program.tensor(weights[0])}
    bias = None
    if program.chance(0.5):
        bias = program.numbers([n], -4, 4, 0.25)
        arguments["bias"] = program.tensor(bias[0])
    return summed(program, "linear", x.shape[:-1] + [n], arguments, x, weights,
                  bias, 0, [x])


def matmul(program):
    rank = program.pick((2, 3, 3, 4, 4))
    m, k, n = (program.extent() for _ in range(3))
    outer = program.shape(rank)[:rank - 2]
    if size(outer) * (m * k + k * n + m * n) > 8000:
        raise Skip()
    transposed = [program.chance(0.3), program.chance(0.3)]
    shapes = [outer + ([k, m] if transposed[0] else [m, k]),
              [1 if program.chance(0.15) else e for e in outer]
              + ([n, k] if transposed[1] else [k, n])]
    flags = {"transpose_x": flag(transposed[0]),
             "transpose_y": flag(transposed[1])}
    found = [v for v in program.values if v.shape == shapes[0]
             and v.dtype == program.dtype and v.largest <= 100]
    x = program.pick(found) if found else program.new_input(shapes[0])
    if program.chance(0.4):
        array, grain = program.numbers(shapes[1])
        text, largest, error, uses = program.tensor(array), 2, 0, []
    else:
        y = program.new_input(shapes[1])
        text, largest, error, uses = y.name, y.largest, y.error, [y]
        grain = y.grain
    reach = k * x.largest * largest
    both = x.grain * grain if x.grain and grain else None
    bound = k * (x.error * largest + error * x.largest
                 + FLUSHED * (x.largest + largest)) + ROUNDING * reach
    if both and x.exact and error == 0 and reach / both <= 2048:
        bound = 0.0
    return program.emit("matmul", outer + [m, n],
                        {"x": x.name, "y": text, **flags}, -reach, reach, both,
                        bound, 1, uses + [x])


def einsum(program):
    n, c, h, w, u = (program.random.randint(1, 9) for _ in range(5))
    rank = program.pick((3, 4))
    x = program.new_input([n, c, h, w][4 - rank:])
    y = program.new_input([n, w, h, u][4 - rank:])
    reach = w * x.largest * y.largest
    both = x.grain * y.grain if x.grain and y.grain else None
    exact = both and reach / both <= 2048
    bound = 0.0 if exact else w * FLUSHED * 8 + ROUNDING * reach
    equation = "nchw,nwhu->nchu" if rank == 4 else "chw,whr->chr"
    return program.emit("einsum", [n, c, h, u][4 - rank:],
                        {"values": f"({x.name}, {y.name})",
                         "equation": string(equation)},
                        -reach, reach, both, bound, 1, [x, y])


def attention(program):
    if program.opset < 18:
        raise Skip()
    outer = [program.random.randint(1, 3)
             for _ in range(program.random.randint(1, 2))]
    rows, keys, depth, width = (program.random.randint(1, 9)
                                for _ in range(4))
    q = program.new_input(outer + [rows, depth], low=-2, high=2)
    k = program.new_input(outer + [keys, depth], low=-2, high=2)
    v = program.new_input(outer + [keys, width], low=-2, high=2)
    arguments = {"query": q.name, "key": k.name, "value": v.name}
    uses = [q, k, v]
    if program.chance(0.4):
        mask = program.new_input([rows, keys], "bool" if program.chance(0.4)
                                 else None, -1, 1)
        if mask.dtype == "bool":
            program.arrays[mask.name][..., 0] = True
        arguments["attn_mask"] = mask.name
        uses.append(mask)
    return program.emit("scaled_dot_product_attention", outer + [rows, width],
                        arguments, -2, 2, None, 2e-2 + depth * 4e-3, 4, uses)


OPS = [(conv, 8), (conv_transpose, 2), (pool, 4), (reduce, 4), (softmax, 2),
       (cumsum, 0.7), (norm, 3), (linear, 2), (matmul, 3), (attention, 0.6), (einsum, 0.4)]
