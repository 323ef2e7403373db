"""Prints a program of n values that live at the same time, each of which shows in
the output: they are read in the order of their birth (queue), in the opposite one
(stack), or two at a time as far apart as in a tree (tree)."""
import sys

order, count = sys.argv[1], int(sys.argv[2])
SHAPE = "tensor<fp16, [1, 8, 4, 4]>"
lines = [f"{SHAPE} a{i} = add(x = x, y = fp16({i}));" for i in range(count)]
reads = {"queue": [(i, i) for i in range(count)],
         "stack": [(i, i) for i in reversed(range(count))],
         "tree": [(i, (i * i + 1) % count) for i in range(count)]}[order]
lines += [f"{SHAPE} b{i} = maximum(x = a{i}, y = a{k});" for i, k in reads]
values = ", ".join(f"b{i}" for i in range(count))
lines.append(f"tensor<fp16, [1, {8 * count}, 4, 4]> y = "
             f"concat(values = ({values}), axis = int32(1), "
             "interleave = bool(false));")
print("program(1.3)\n{\n  func main<ios18>(" + SHAPE + " x) {\n    "
      + "\n    ".join(lines) + "\n  } -> (y);\n}")
