#!/usr/bin/python3
"""Writes a small language model as text, in the form of those for a phone.

usage: language_model.py FILE.mil

Two functions have one set of weights: `prefill` takes eight tokens, `decode`
one. Both write the keys and values of their tokens to rows of the state `cache`
that the input `position` says, and attend to all rows that `mask` leaves.
Linear layers are convolutions of [1, features, 1, tokens]; four queries share
the keys and values of a pair of heads; kernels are palettes of 16 numbers for
each eight outputs.
"""
import sys

LAYERS, FEATURES, HEADS, PAIRS, ROWS, HIDDEN = 2, 64, 8, 2, 24, 160
WIDTH = FEATURES // HEADS
FUNCTIONS = {"prefill": 8, "decode": 1}


def ints(*values):
    return f"tensor<int32, [{len(values)}]>([{', '.join(map(str, values))}])"


class Function:
    """The text of one function, for so many tokens."""

    def __init__(self, name, tokens):
        self.tokens, self.lines, self.offset, self.count = tokens, [], 64, 0
        self.turns = [self.row_of(self.stored([1, ROWS, WIDTH])) for _ in range(2)]
        self.end = self.op([1], f"add(x = position, y = int32({tokens}))",
                           "int32")
        x = "tokens"
        for layer in range(LAYERS):
            x = self.layer(x, layer)
        self.op([1, tokens, FEATURES], f"identity(x = {x})", name="y")
        cache = f"[{2 * LAYERS}, {PAIRS}, {ROWS}, {WIDTH}]"
        self.text = "\n".join([
            f"  func {name}<ios18>("
            f"tensor<fp16, [1, {tokens}, {FEATURES}]> tokens, "
            f"tensor<int32, [1]> position, tensor<int32, [{tokens}]> places, "
            f"tensor<fp16, [1, 1, {tokens}, {ROWS}]> mask, "
            f"state<tensor<fp16, {cache}>> cache) {{",
            *self.lines, "  } -> (y);"])

    def op(self, shape, call, dtype="fp16", name=None):
        if name is None:
            name, self.count = f"v{self.count}", self.count + 1
        self.lines.append(f"    tensor<{dtype}, {shape}> {name} = {call};")
        return name

    def stored(self, shape, dtype="fp16", bits=16):
        """A weight, at the same place in the file for each function."""
        size = bits
        for extent in shape:
            size *= extent
        place = (f'BLOBFILE(path = string("@model_path/weights/weight.bin"), '
                 f"offset = uint64({self.offset}))")
        self.offset += -(-size // 8 // 64) * 64 + 64
        return self.op(shape, f"const()[val = tensor<{dtype}, {shape}>({place})]",
                       dtype)

    def row_of(self, table):
        row = self.op([1, self.tokens, WIDTH],
                      f"gather(x = {table}, indices = places, axis = int32(1), "
                      "batch_dims = int32(0), validate_indices = bool(false))")
        return self.op([1, 1, self.tokens, WIDTH],
                       f"expand_dims(x = {row}, axes = {ints(1)})")

    def add(self, shape, x, y):
        return self.op(shape, f"add(x = {x}, y = {y})")

    def mul(self, shape, x, y):
        return self.op(shape, f"mul(x = {x}, y = {y})")

    def concat(self, shape, axis, values, dtype="fp16"):
        return self.op(shape, f"concat(values = ({', '.join(values)}), axis = "
                       f"int32({axis}), interleave = bool(false))", dtype)

    def norm(self, x):
        """A norm of squares: a layer norm of the numbers and their opposites."""
        shape, both = ([1, self.tokens, n * FEATURES] for n in (1, 2))
        y = self.concat(both, -1, [x, self.mul(shape, x, "fp16(-1)")])
        y = self.op(both, f"layer_norm(x = {y}, axes = {ints(-1)}, "
                    "epsilon = fp16(1e-5))")
        y = self.op(shape, f"slice_by_index(x = {y}, begin = {ints(0, 0, 0)}, "
                    f"end = {ints(*shape)})")
        return self.mul(shape, y, self.stored([FEATURES]))

    def as_channels(self, x):
        y = self.op([1, FEATURES, self.tokens],
                    f"transpose(x = {x}, perm = {ints(0, 2, 1)})")
        return self.op([1, FEATURES, 1, self.tokens],
                       f"expand_dims(x = {y}, axes = {ints(2)})")

    def as_rows(self, x):
        y = self.op([1, FEATURES, self.tokens],
                    f"squeeze(x = {x}, axes = {ints(2)})")
        return self.op([1, self.tokens, FEATURES],
                       f"transpose(x = {y}, perm = {ints(0, 2, 1)})")

    def linear(self, x, inputs, outputs):
        places = self.stored([outputs, inputs, 1, 1], "uint4", 4)
        numbers = self.stored([outputs // 8, 1, 1, 1, 16, 1])
        kernel = self.op([outputs, inputs, 1, 1],
                         f"constexpr_lut_to_dense(indices = {places}, "
                         f"lut = {numbers})")
        return self.op([1, outputs, 1, self.tokens],
                       f'conv(x = {x}, weight = {kernel}, pad_type = '
                       f'string("valid"), strides = {ints(1, 1)}, '
                       f"pad = {ints(0, 0, 0, 0)}, dilations = {ints(1, 1)}, "
                       "groups = int32(1))")

    def heads(self, x, count):
        y = self.op([1, count, WIDTH, self.tokens],
                    f"reshape(x = {x}, shape = "
                    f"{ints(1, count, WIDTH, self.tokens)})")
        return self.op([1, count, self.tokens, WIDTH],
                       f"transpose(x = {y}, perm = {ints(0, 1, 3, 2)})")

    def turned(self, x, count):
        """Rotates pairs of numbers by angles that depend on the place."""
        shape, half = ([1, count, self.tokens, width]
                       for width in (WIDTH, WIDTH // 2))
        first, second = (
            self.op(half, f"slice_by_index(x = {x}, begin = {ints(*begin)}, "
                    f"end = {ints(*end)})")
            for begin, end in (((0, 0, 0, 0), half),
                               ((0, 0, 0, WIDTH // 2), shape)))
        others = self.concat(
            shape, -1, [self.mul(half, second, "fp16(-1)"), first])
        return self.add(shape, self.mul(shape, x, self.turns[0]),
                        self.mul(shape, others, self.turns[1]))

    def cached(self, x, plane):
        """Writes rows to the cache and takes all of them, for each head."""
        cache = [2 * LAYERS, PAIRS, ROWS, WIDTH]
        begin, end = (
            self.concat([4], 0, [ints(at), ints(pairs), row, ints(width)],
                        "int32")
            for at, pairs, row, width in (
                (plane, 0, "position", 0), (plane + 1, PAIRS, self.end, WIDTH)))
        y = self.op(cache, "read_state(input = cache)")
        y = self.op(cache, f"slice_update(x = {y}, update = {x}, "
                    f"begin = {begin}, end = {end})")
        self.lines.append(f"    write_state(data = {y}, input = cache);")
        y = self.op(cache, "read_state(input = cache)")
        y = self.op([1, *cache[1:]],
                    f"slice_by_index(x = {y}, begin = {ints(plane, 0, 0, 0)}, "
                    f"end = {ints(plane + 1, *cache[1:])})")
        share = HEADS // PAIRS
        y = self.op([1, PAIRS, 1, ROWS, WIDTH],
                    f"expand_dims(x = {y}, axes = {ints(2)})")
        y = self.op([1, PAIRS, share, ROWS, WIDTH],
                    f"tile(x = {y}, reps = {ints(1, 1, share, 1, 1)})")
        return self.op([1, HEADS, ROWS, WIDTH],
                       f"reshape(x = {y}, shape = {ints(1, HEADS, ROWS, WIDTH)})")

    def attention(self, x, layer):
        y = self.as_channels(self.norm(x))
        queries = self.heads(self.linear(y, FEATURES, FEATURES), HEADS)
        keys, values = (
            self.heads(self.linear(y, FEATURES, PAIRS * WIDTH), PAIRS)
            for _ in range(2))
        queries = self.turned(queries, HEADS)
        keys = self.cached(self.turned(keys, PAIRS), layer)
        values = self.cached(values, layer + LAYERS)
        shape = [1, HEADS, self.tokens, ROWS]
        y = self.op(shape, f"matmul(x = {queries}, y = {keys}, transpose_x = "
                    "bool(false), transpose_y = bool(true))")
        y = self.mul(shape, y, f"fp16({WIDTH ** -0.5:.6})")
        y = self.add(shape, y, "mask")
        y = self.op(shape, f"softmax(x = {y}, axis = int32(-1))")
        y = self.op([1, HEADS, self.tokens, WIDTH],
                    f"matmul(x = {y}, y = {values}, transpose_x = bool(false), "
                    "transpose_y = bool(false))")
        y = self.op([1, self.tokens, HEADS, WIDTH],
                    f"transpose(x = {y}, perm = {ints(0, 2, 1, 3)})")
        y = self.op([1, self.tokens, FEATURES],
                    f"reshape(x = {y}, shape = {ints(1, self.tokens, FEATURES)})")
        return self.as_rows(
            self.linear(self.as_channels(y), FEATURES, FEATURES))

    def gated(self, x):
        y = self.as_channels(self.norm(x))
        shape = [1, HIDDEN, 1, self.tokens]
        gate = self.op(shape,
                       f"silu(x = {self.linear(y, FEATURES, HIDDEN)})")
        y = self.mul(shape, gate, self.linear(y, FEATURES, HIDDEN))
        return self.as_rows(self.linear(y, HIDDEN, FEATURES))

    def layer(self, x, layer):
        shape = [1, self.tokens, FEATURES]
        x = self.add(shape, x, self.attention(x, layer))
        return self.add(shape, x, self.gated(x))


def main():
    functions = [Function(*each).text for each in FUNCTIONS.items()]
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(["program(1.3)", "{", *functions, "}", ""]))


if __name__ == "__main__":
    main()
