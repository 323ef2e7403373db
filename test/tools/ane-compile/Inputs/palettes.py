"""Writes a program of so many products with one weight of 256 palettes."""
import sys

FILE = ('BLOBFILE(path = string("@model_path/none.bin"), '
        "offset = uint64({}))")
print("program(1.3)\n{\n  func main<ios18>(tensor<fp16, [1, 2048, 1, 1]> x) {")
print("    tensor<fp16, [2048, 2048, 1, 1]> w = constexpr_lut_to_dense(indices = "
      f"tensor<uint4, [2048, 2048, 1, 1]>({FILE.format(64)}), lut = "
      f"tensor<fp16, [256, 1, 1, 1, 16, 1]>({FILE.format(2097280)}));")
value = "x"
for index in range(int(sys.argv[1])):
    print(f"    tensor<fp16, [1, 2048, 1, 1]> y{index} = "
          f"conv(weight = w, x = {value});")
    value = f"y{index}"
print(f"  }} -> ({value});\n}}")
