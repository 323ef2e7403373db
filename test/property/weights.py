"""Layers whose weights are stored compressed."""
import numpy as np

from layers import padding, summed
from program import Skip, const_text, integer, size, string

# Numbers of all weights: small multiples of a half, so that sums stay exact.
GRAIN = 0.5


def image_and_window(program, ranks):
    """What a convolution without padding reads, its kernel and what comes out
    of each dimension."""
    x = program.operand(lambda v: v.rank in ranks and v.shape[1] <= 16
                        and size(v.shape) <= 4000,
                        lambda: program.shape(program.pick(ranks)))
    kernel = [program.pick((1, 2, 3)) for _ in x.shape[2:]]
    extents = [padding(program, "conv", e, k, 1, 1, "valid", False)[2]
               for e, k in zip(x.shape[2:], kernel)]
    return x, kernel, extents


def layer(program):
    """A layer with a weight of some matrix; the weight's shape, and what emits
    the layer when the weight has a name."""
    if program.chance(0.5):
        x = program.operand(lambda v: 1 <= v.rank <= 4 and v.shape[-1] <= 64)
        shape = [program.random.randint(1, 12), x.shape[-1]]

        def emit(name, numbers):
            return summed(program, "linear", x.shape[:-1] + [shape[0]],
                          {"x": x.name, "weight": name}, x, (numbers, GRAIN),
                          None, 0, [x])
    else:
        x, kernel, extents = image_and_window(program, (4,))
        shape = [program.random.randint(1, 12), x.shape[1], *kernel]

        def emit(name, numbers):
            return summed(program, "conv",
                          [x.shape[0], shape[0], *extents],
                          {"x": x.name, "weight": name}, x, (numbers, GRAIN),
                          None, 0, [x])
    if size(shape) > 2000:
        raise Skip()
    return shape, emit


def state(program, op, results, arguments, known):
    """A statement of these results (type and name); arguments of ops before
    ios18 are attributes."""
    declared = ", ".join(f"{kind} {name}" for kind, name in results)
    listed = ", ".join(f"{key} = {text}" for key, text in
                       sorted(arguments.items()))
    text = f"{op}()[{listed}]" if known else f"{op}({listed})"
    program.statements.append(
        ([name for _, name in results], f"{declared} = {text};"))


def name_of(program):
    program.constants += 1
    return f"c{program.constants}"


def draw(program, shape, low, high):
    return np.array([program.random.randint(low, high)
                     for _ in range(size(shape))], np.int64).reshape(shape)


def blocks(program, shape):
    """Numbers of blocks along each dimension, and what spreads an array of
    blocks over the elements."""
    counts = [program.pick([n for n in range(1, e + 1) if e % n == 0])
              if program.chance(0.5) else 1 for e in shape]

    def spread(array):
        for axis, (count, extent) in enumerate(zip(counts, shape)):
            array = np.repeat(array, extent // count, axis)
        return array

    return counts, spread


def palette(program, shape, name, result):
    """Indices into tables of numbers; from ios18 on a table for each block."""
    known = program.opset < 18
    bits = program.pick((1, 2, 4, 6, 8) if known else (1, 2, 3, 4, 6, 8))
    counts, spread = ([1] * len(shape), None) if known \
        else blocks(program, shape)
    tables = draw(program, counts + [2**bits], -4, 4) * GRAIN
    if tables.size > 2000:
        raise Skip()
    indices = draw(program, shape, 0, 2**bits - 1)
    if known:
        numbers = tables.reshape(-1)[indices]
        arguments = {"lut": const_text(tables.reshape(-1), program.dtype),
                     "indices": packed(indices, bits),
                     "shape": small_text(shape, "uint32")}
    else:
        numbers = np.take_along_axis(spread(tables), indices[..., None],
                                     -1)[..., 0]
        arguments = {"lut": const_text(tables[..., None], program.dtype),
                     "indices": small_text(indices, f"uint{bits}")}
    state(program, "constexpr_lut_to_dense", [(result, name)], arguments,
          known)
    return numbers


def palette_of_vectors(program, shape, name, result):
    """Indices into a table of vectors along one dimension."""
    axis = program.random.randrange(len(shape))
    length = program.pick([n for n in range(1, shape[axis] + 1)
                           if shape[axis] % n == 0])
    few = list(shape)
    few[axis] //= length
    table = draw(program, [4, length], -4, 4) * GRAIN
    indices = draw(program, few, 0, 3)
    state(program, "constexpr_lut_to_dense", [(result, name)], {
        "lut": const_text(table.reshape([1] * len(shape) + [4, length]),
                          program.dtype),
        "indices": small_text(indices, "uint2"),
        "vector_axis": integer(axis)}, False)
    numbers = np.moveaxis(table[indices], -1, axis + 1)
    return numbers.reshape(shape)


def masked(program, shape):
    mask = draw(program, shape, 0, 1)
    if not mask.any():
        raise Skip()
    return mask


def sparse(program, shape, name, result):
    """What is not zero, and where."""
    known, mask = program.opset < 18, masked(program, shape)
    values = draw(program, [mask.sum()], -4, 4) * GRAIN
    arguments = {"nonzero_data": const_text(values, program.dtype)}
    if known:
        arguments.update(mask=packed(mask, 1), shape=small_text(shape, "uint32"))
    else:
        arguments["mask"] = small_text(mask, "uint1")
    state(program, "constexpr_sparse_to_dense", [(result, name)], arguments,
          known)
    return filled(mask, values)


def filled(mask, values):
    numbers = np.zeros(mask.shape)
    numbers[mask != 0] = values
    return numbers


def to_dense(program, op, mask, count, arguments, name, result):
    """An op that makes the nonzero elements, and the one behind it."""
    places, values = name_of(program), name_of(program)
    extents = ", ".join(map(str, mask.shape))
    state(program, op, [(f"tensor<uint1, [{extents}]>", places),
                        (f"tensor<{program.dtype}, [{count}]>", values)],
          arguments, False)
    state(program, "constexpr_sparse_to_dense", [(result, name)],
          {"mask": places, "nonzero_data": values}, False)


def sparse_palette(program, shape, name, result):
    mask = masked(program, shape)
    counts, spread = blocks(program, shape)
    tables = draw(program, counts + [4], -4, 4) * GRAIN
    if tables.size > 2000:
        raise Skip()
    indices = draw(program, [mask.sum()], 0, 3)
    to_dense(program, "constexpr_lut_to_sparse", mask, mask.sum(), {
        "indices_mask": small_text(mask, "uint1"),
        "indices_nonzero_data": small_text(indices, "uint2"),
        "lut": const_text(tables[..., None], program.dtype)}, name, result)
    chosen = spread(tables)[mask != 0]
    return filled(mask, np.take_along_axis(chosen, indices[:, None], 1)[:, 0])


def lines(program, shape):
    """Scales and offsets of blocks, spread and as arguments, and the type of
    the elements with its bounds."""
    kind, low, high = program.pick((("int4", -8, 7), ("uint4", 0, 15),
                                    ("int8", -8, 8), ("uint8", 0, 16)))
    counts, spread = blocks(program, shape)
    scales = draw(program, counts, 1, 2) * GRAIN
    offsets = draw(program, counts, max(low, -2), 2)
    arguments = {"scale": const_text(scales, program.dtype)}
    if program.chance(0.6):
        arguments["offset"] = small_text(offsets, kind)
    else:
        offsets = offsets * 0
    return kind, (low, high), spread(scales), spread(offsets), arguments


def blockwise(program, shape, name, result):
    kind, bounds, scales, offsets, arguments = lines(program, shape)
    data = draw(program, shape, *bounds)
    state(program, "constexpr_blockwise_shift_scale", [(result, name)],
          {"data": small_text(data, kind), **arguments}, False)
    return (data - offsets) * scales


def sparse_blockwise(program, shape, name, result):
    mask = masked(program, shape)
    kind, bounds, scales, offsets, arguments = lines(program, shape)
    data = draw(program, [mask.sum()], *bounds)
    to_dense(program, "constexpr_sparse_blockwise_shift_scale", mask,
             mask.sum(), {"data_mask": small_text(mask, "uint1"),
                          "nonzero_data": small_text(data, kind), **arguments},
             name, result)
    return filled(mask, (data - offsets[mask != 0]) * scales[mask != 0])


def by_channel(program, shape, name, result):
    """8 bits with a scale and a zero for all or for each along an axis."""
    kind = program.pick(("int8", "uint8"))
    axis = program.random.randrange(len(shape))
    counts = [1] * len(shape)
    if program.chance(0.6):
        counts[axis] = shape[axis]
    data = draw(program, shape, 0, 8)
    scales = draw(program, counts, 1, 2) * GRAIN
    zeros = draw(program, counts, 0, 4)

    def text(array, dtype):
        flat = array.reshape(-1)
        return const_text(flat if flat.size > 1 else flat[0], dtype)

    state(program, "constexpr_affine_dequantize", [(result, name)], {
        "quantized_data": small_text(data, kind), "axis": integer(axis),
        "scale": text(scales, program.dtype),
        "zero_point": text(zeros, kind)}, True)
    return (data - zeros) * scales


def half_precision(program, shape, name, result):
    numbers = draw(program, shape, -4, 4) * GRAIN
    state(program, "constexpr_cast", [(result, name)],
          {"source_val": const_text(numbers, "fp16"),
           "output_dtype": string("fp32")}, program.opset < 18)
    return numbers


def compressed(program):
    if program.opset < 16:
        raise Skip()
    shape, emit = layer(program)
    kinds = [palette, sparse]
    if program.opset < 18:
        kinds.append(by_channel)
    else:
        kinds += [palette_of_vectors, sparse_palette, blockwise,
                  sparse_blockwise]
    if program.dtype == "fp32":
        kinds.append(half_precision)
    name = name_of(program)
    result = f"tensor<{program.dtype}, [{', '.join(map(str, shape))}]>"
    before = len(program.statements)
    numbers = program.pick(kinds)(program, shape, name, result)
    value = emit(name, np.asarray(numbers, np.float64))
    for _, statement in program.statements[before:-1]:
        program.ops.append(statement.split(" = ", 1)[1].split("(")[0])
    return value


def conv_quantized(program):
    """Bytes with a scale and a bias, for all results or each of them."""
    x, kernel, extents = image_and_window(program, (3, 4))
    shape = [program.random.randint(1, 9), x.shape[1], *kernel]
    bits = program.pick((4, 8))
    data = draw(program, shape, 0, min(2**bits - 1, 20))
    count = program.pick((1, shape[0]))
    scales = draw(program, [count], 1, 2) * GRAIN
    biases = draw(program, [count], -4, 0) * GRAIN
    whole = [count] + [1] * (len(shape) - 1)
    return summed(program, "conv_quantized", [x.shape[0], shape[0], *extents],
                  {"x": x.name, "weight": small_text(data, "uint8"),
                   "nbits": integer(bits),
                   "quantization_type": string("linear"),
                   "quant_scale": const_text(scales, program.dtype),
                   "quant_bias": const_text(biases, program.dtype)}, x,
                  (data * scales.reshape(whole) + biases.reshape(whole), 0.25),
                  None, 0, [x])


def small_text(array, dtype):
    """Integers as an inline value."""
    return const_text(np.asarray(array, np.int64), dtype)


def packed(array, bits):
    """Bits of the elements, the lowest first, as bytes."""
    flat = (np.asarray(array).reshape(-1, 1) >> np.arange(bits)) & 1
    return small_text(np.packbits(flat.reshape(-1).astype(np.uint8),
                                  bitorder="little"), "uint8")


OPS = [(compressed, 2), (conv_quantized, 0.5)]
