"""Prints a MIL program that is too long to be written down.

usage: model.py coefficients ROWS | kernels COUNT | large-kernels COUNT |
                ports COUNT | states COUNT | functions COUNT |
                operands ROWS | half-lanes COUNT
"""
import sys


def listing(count, text="1"):
    return "[" + ", ".join([text] * count) + "]"


def coefficients(rows):
    """A constant operand of 65536 channels of single columns."""
    return f"""
  func main<ios18>(tensor<fp16, [65536, {rows}, 1]> x) {{
    tensor<fp16, [256, 1]> a = const()[val = tensor<fp16, [256, 1]>({listing(256, "[1]")})];
    tensor<fp16, [1, 256]> b = const()[val = tensor<fp16, [1, 256]>([{listing(256)}])];
    tensor<fp16, [256, 256]> c = mul(x = a, y = b);
    tensor<fp16, [65536, 1, 1]> d = reshape(shape = tensor<int32, [3]>([65536, 1, 1]), x = c);
    tensor<fp16, [{rows}, 1]> e = const()[val = tensor<fp16, [{rows}, 1]>({listing(rows, "[1]")})];
    tensor<fp16, [65536, {rows}, 1]> f = mul(x = d, y = e);
    tensor<fp16, [65536, {rows}, 1]> y = add(x = x, y = f);
  }} -> (y);"""


def kernels(count, channels=(4096, 4096)):
    """Products with different matrices of 32 MiB."""
    lines = ""
    for i in range(count):
        here, there = channels[i % 2], channels[(i + 1) % 2]
        lines += f"""
    tensor<fp16, [{there}, {here}, 1, 1]> w{i} = fill(shape = tensor<int32, [4]>([{there}, {here}, 1, 1]), value = fp16({(i + 1) / 4096}));
    tensor<fp16, [1, {there}, 1, 1]> y{i} = conv(weight = w{i}, x = {f"y{i - 1}" if i else "x"});"""
    return f"""
  func main<ios18>(tensor<fp16, [1, {channels[0]}, 1, 1]> x) {{{lines}
  }} -> (y{count - 1});"""


def large_kernels(count):
    """The same with matrices of 48 MiB."""
    return kernels(count, (4096, 6144))


def ports(count):
    """All ports but one are inputs."""
    inputs = [f"tensor<fp16, [2]> x{index}" for index in range(count - 1)]
    return f"""
  func main<ios18>({", ".join(inputs)}) {{
    tensor<fp16, [2]> y = add(x = x0, y = x1);
  }} -> (y);"""


def states(count):
    """Each of them is read and written."""
    inputs = [f"state<tensor<fp16, [2]>> s{index}" for index in range(count)]
    lines = "".join(
        f"""
    tensor<fp16, [2]> r{i} = read_state(input = s{i});
    tensor<fp16, [2]> a{i} = add(x = r{i}, y = x);
    write_state(data = a{i}, input = s{i});"""
        for i in range(count))
    return f"""
  func main<ios18>(tensor<fp16, [2]> x, {", ".join(inputs)}) {{{lines}
    tensor<fp16, [2]> y = relu(x = x);
  }} -> (y);"""


def functions(count):
    """Behind a function with so many kernels, one with a constant operand."""
    return kernels(count).replace("main", "wide") + f"""
  func narrow<ios18>(tensor<fp16, [1, 64]> x) {{
    tensor<fp16, [1, 64]> c = const()[val = tensor<fp16, [1, 64]>({listing(1, listing(64, "3"))})];
    tensor<fp16, [1, 64]> y = mul(x = x, y = c);
  }} -> (y);"""


def half_lanes(count):
    """Kernels of 17 outputs, of which the last is alone in a second plane: their
    lanes take nearly twice what their weights do. The last op has a constant
    operand."""
    lines = ""
    for i in range(count):
        lines += f"""
    tensor<fp16, [17, 60000, 1, 1]> w{i} = fill(shape = tensor<int32, [4]>([17, 60000, 1, 1]), value = fp16({(i + 1) / 65536}));
    tensor<fp16, [1, 17, 1, 1]> p{i} = conv(weight = w{i}, x = x);
    tensor<fp16, [1, 17, 1, 1]> s{i} = {f"add(x = s{i - 1}, y = p{i})" if i else f"relu(x = p{i})"};"""
    values = ", ".join(f"[[{value}]]" for value in range(17))
    return f"""
  func main<ios18>(tensor<fp16, [1, 60000, 1, 1]> x) {{{lines}
    tensor<fp16, [1, 17, 1, 1]> m = const()[val = tensor<fp16, [1, 17, 1, 1]>([[{values}]])];
    tensor<fp16, [1, 17, 1, 1]> y = maximum(x = s{count - 1}, y = m);
  }} -> (y);"""


def operands(rows):
    """Constant operands in two functions."""
    function = coefficients(rows)
    return (function.replace("main", "first")
            + function.replace("main", "second"))


make = {"coefficients": coefficients, "kernels": kernels,
        "large-kernels": large_kernels, "ports": ports, "states": states,
        "functions": functions, "operands": operands,
        "half-lanes": half_lanes}[sys.argv[1]]
print("program(1.3)\n{" + make(int(sys.argv[2])) + "\n}")
