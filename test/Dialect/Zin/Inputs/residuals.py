"""Prints a network of 34 convolutions, one after the other, with an addition of an
earlier value behind each dozen. The first value is read again at the end."""

HEIGHT = WIDTH = 64
WIDTHS = [80, 48, 96, 64, 48]
COUNT, SPAN, FIRST = 34, 12, 48

lines = []


def shape(channels):
    return f"tensor<fp16, [1, {channels}, {HEIGHT}, {WIDTH}]>"


def conv(source, channels):
    name = f"v{len(lines)}"
    kernel = f"tensor<fp16, [{channels}, {source[1]}, 1, 1]>"
    lines.append(
        f"{kernel} k{name} = const()[val = {kernel}(BLOBFILE(path = "
        'string("@model_path/none.bin"), offset = uint64(64)))];\n    '
        f"{shape(channels)} {name} = conv(weight = k{name}, x = {source[0]});")
    return name, channels


def add(source, earlier):
    if source[1] != earlier[1]:
        source = conv(source, earlier[1])
    name = f"v{len(lines)}"
    lines.append(f"{shape(earlier[1])} {name} = "
                 f"add(x = {source[0]}, y = {earlier[0]});")
    return name, earlier[1]


last = first = conv(("x", 32), FIRST)
for index in range(COUNT):
    last = conv(last, WIDTHS[index % len(WIDTHS)])
    if index % SPAN == 0:
        earlier = last
    if index % SPAN == SPAN - 1:
        last = add(last, earlier)
last = add(last, first)
print(f"program(1.3)\n{{\n  func main<ios18>({shape(32)} x) {{\n    "
      + "\n    ".join(lines) + f"\n  }} -> ({last[0]});\n}}")
