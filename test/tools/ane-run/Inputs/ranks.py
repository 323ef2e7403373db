#!/usr/bin/python3
"""Doubles a tensor of each rank: ranks.py ANE-COMPILE ANE-RUN"""
import subprocess
import sys

import numpy as np

compile_tool, run_tool = sys.argv[1:]
shapes = [[], [7], [2, 3], [2, 3, 5], [2, 3, 4, 5], [2, 3, 2, 3, 5], [1] * 5, [1]]
for shape in shapes:
    kind = f"tensor<fp16, {shape}>" if shape else "fp16"
    with open("model.mil", "w") as file:
        file.write(
            f"program(1.3) {{\n  func main<ios18>({kind} x) {{\n"
            f"    {kind} y = add(x = x, y = x);\n  }} -> (y);\n}}\n"
        )
    x = (np.arange(np.prod(shape, dtype=int)).reshape(shape) / 4 - 3).astype("<f2")
    np.save("x.npy", x)
    subprocess.run([compile_tool, "model.mil", "-o", "v10.hwx"], check=True)
    subprocess.run(
        [compile_tool, "model.mil", "-o", "v7.hwx", "--td-format=v7"], check=True
    )
    for model in "v10.hwx", "v7.hwx", "model.mil":
        subprocess.run(
            [run_tool, model, "--input", "x=x.npy", "--output", "y=y.npy"], check=True
        )
        y = np.load("y.npy")
        if y.dtype != x.dtype or y.shape != x.shape or (y != 2 * x).any():
            sys.exit(f"{model} of {shape}: {y.dtype} {y.shape} {y}")
    print(shape, "ok")
