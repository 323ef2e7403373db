#!/usr/bin/python3
"""Writes MIL text: model.py SEED [OLD=NEW...] > model.mil

The weights come from the seed; the program is the same for every seed. Pieces
of the text are replaced as asked for.
"""
import random
import sys

seed, *edits = sys.argv[1:]
numbers = random.Random(seed)


def const(name, *shape, low=-1.0, high=1.0):
    def values(extents):
        if not extents:
            return f"{numbers.uniform(low, high):.4f}"
        return "[" + ", ".join(values(extents[1:]) for _ in range(extents[0])) + "]"

    kind = f"tensor<fp16, [{', '.join(map(str, shape))}]>"
    return f"        {kind} {name} = const()[val = {kind}({values(shape)})];\n"


text = "program(1.3)\n{\n    func main<ios18>(tensor<fp16, [1, 3, ?, 4]> x) {\n"
text += const("w", 4, 3, 1, 1) + const("b", 4)
text += const("beta", 4) + const("gamma", 4) + const("mean", 4)
text += const("variance", 4, low=0.5, high=2.0)
text += const("surface", 1, 4, 1, 4) + const("right", 4, 6)
text += """\
        tensor<fp16, [1, 4, ?, 4]> c = conv(bias = b, weight = w, x = x);
        tensor<fp16, [1, 4, ?, 4]> n = batch_norm(beta = beta, epsilon = fp16(0.001), gamma = gamma, mean = mean, variance = variance, x = c);
        tensor<fp16, [1, 4, ?, 4]> s = sigmoid(x = n);
        tensor<fp16, [1, 4, ?, 4]> a = add(x = s, y = surface);
        tensor<fp16, [1, 4, ?, 6]> y = matmul(x = a, y = right);
    } -> (y);
}
"""
for edit in edits:
    old, _, new = edit.partition("=>")
    assert old in text, old
    text = text.replace(old, new)
sys.stdout.write(text)
