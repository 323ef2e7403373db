"""Two products whose outputs lose 2^-15, which 2^-5 is enough for: one has it in
256 coefficients between as many zeros, the other one coefficient less."""
TAPS = 600
for name, largest in ("enough", 256), ("less", 255):
    row = ["0.0"] * TAPS
    row[0:2 * largest:2] = [str(2.0**-9)] * largest
    row[-1] = str(2.0**-15)
    print(f"""zin.procedure @{name}(%x: tensor<1x1x1x4x{TAPS}xf16> {{zin.host_type = tensor<4x{TAPS}xf16>, zin.name = "x"}}) -> (tensor<1x1x1x4x1xf16> {{zin.host_type = tensor<4x1xf16>, zin.name = "y"}}) {{
  %w = zin.constant dense<[[[[[{", ".join(row)}]]]]]> : tensor<1x1x1x1x{TAPS}xf16>
  %y = zin.matmul %x, %w : (tensor<1x1x1x4x{TAPS}xf16>, tensor<1x1x1x1x{TAPS}xf16>) -> tensor<1x1x1x4x1xf16>
  zin.return %y : tensor<1x1x1x4x1xf16>
}}""")
