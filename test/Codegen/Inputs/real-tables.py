#!/usr/bin/python3
"""Compares table records with those of real programs.

usage: real-tables.py BUILD/bin FOLDER

FOLDER has the programs, each a task stream and its coefficients. A record has
43 half-words; where it lies follows from the number of tasks. Prints each
record that the compiled function does not have; exits with status 1 if one is
missing.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

RECORD_BYTES = 86
# (expression, program, where its record lies)
TABLES = [
    ("exp(x = x)", "unary/exp.bin", 0x280),
    ("exp2(x = x)", "unary/exp2.bin", 0x280),
    ("inverse(x = x, epsilon = fp16(0))", "unary/inv.bin", 0x280),
    ("log(x = x)", "unary/log2.bin", 0x280),
    ("sign(x = x)", "unary/sign.bin", 0x280),
    ("sqrt(x = x)", "unary/sqrt.bin", 0x280),
    ("relu6(x = x)", "activation/relu6.bin", 0x280),
    ("leaky_relu(x = x, alpha = fp16(0.01))", "activation/leakyrelu.bin",
     0x280),
    ("ceil(x = x)", "unary/ceil.bin", 0xb80),
    ("ceil(x = x)", "unary/ceil.bin", 0xc00),
    ("ceil(x = x)", "unary/ceil.bin", 0xc80),
]


def container(tools, folder, expression):
    source, result = folder / "f.mil", folder / "f.hwx"
    source.write_text(f"""program(1.3)
{{
  func main<ios18>(tensor<fp16, [4]> x) {{
    tensor<fp16, [4]> y = {expression};
  }} -> (y);
}}
""")
    subprocess.run([tools / "ane-compile", source, "-o", result], check=True)
    return result.read_bytes()


def main():
    tools, programs = Path(sys.argv[1]), Path(sys.argv[2])
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for expression, program, offset in TABLES:
            data = (programs / program).read_bytes()
            record = data[offset:offset + RECORD_BYTES]
            if record not in container(tools, Path(folder), expression):
                print(f"{expression} does not have the record of {program} at "
                      f"{offset:#x}: {record.hex(' ', 2)}")
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
