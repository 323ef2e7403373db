#!/usr/bin/python3
"""Runs random chains of tasks as they are and as zin-tile-rows cuts them into
blocks of rows, and compares all that they give, bit by bit.

usage: rows.py --bin BUILD/bin [--count N] [--seed S]

Values are of few channels, so that they are quickly computed, and of about the
size of L2. Tasks are convolutions with and without neighbours, with a stride or
not, and what works element by element; values are whole ones and parts of them:
some channels, every other channel, every other row, some columns. Exit status: 0
all right, 1 not.
"""
import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CHANNELS, COLUMNS = 8, 1024
OPTIONS = ["l2-eighths=2 tile-bytes=0", "l2-eighths=2 tile-bytes=0 hold=false",
           "l2-eighths=3", "l2-eighths=4", "l2-eighths=6",
           "l2-eighths=6 hold=false"]


class Chain:
    """The text of one program, drawn from its seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rows = self.random.choice([48, 64, 96, 128])
        self.shapes, self.lines, self.tasks, self.outputs = {}, [], [], []
        self.buffer("input", CHANNELS, self.rows, COLUMNS)
        self.values = [self.view("b0")]
        for _ in range(self.random.randint(3, 8)):
            step, = self.random.choices(
                (self.whole, self.joined, self.channels, self.turns,
                 self.columns), (12, 4, 2, 2, 2))
            step()
        self.give(self.values[-1])
        if self.random.random() < 0.4:
            self.give(self.random.choice(self.values))

    def text(self):
        return "\n".join(["zin.program @chain {", *self.lines, *self.tasks, "}\n"])

    def buffer(self, kind, *shape):
        name, bytes_ = f"b{len(self.shapes)}", 2 * int(np.prod(shape))
        self.shapes[name] = shape
        port = "" if kind == "scratch" else (
            " {host_type = tensor<%s>, port = \"%s\"}" % (
                "x".join(map(str, [*shape, "f16"])), name))
        self.lines.append(f"zin.buffer <{kind}> @{name} {bytes_} bytes "
                          f"{self.view(name)}{port}")
        if kind == "output":
            self.outputs.append(name)
        return name

    def view(self, name, first=(0, 0, 0), shape=None, steps=(1, 1)):
        """Some channels, rows and columns, channels and rows so many apart."""
        channels, rows, columns = self.shapes[name]
        row, plane = 2 * columns, 2 * columns * rows
        whole = plane * channels
        offset = first[0] * plane + first[1] * row + first[2] * 2
        extents = ", ".join(map(str, shape or self.shapes[name]))
        return (f"<@{name} + {offset}, [1, 1, {extents}], "
                f"[{whole}, {whole}, {plane * steps[0]}, {row * steps[1]}]>")

    def scratch(self, channels=1, rows=1, columns=1):
        return self.buffer("scratch", CHANNELS * channels, self.rows * rows,
                           COLUMNS * columns)

    def convolve(self, source, result, inputs=CHANNELS, window=1, stride=1):
        taps, kernel = inputs * window * window, f"k{len(self.lines)}"
        weights = ", ".join(f"{self.random.randint(-8, 8) / 32:e}"
                            for _ in range(CHANNELS * taps))
        self.lines.append(
            f"zin.kernel @{kernel} {{groups = 1 : i64, ocg_size = 2 : i64, "
            f"outputs = {CHANNELS} : i64, taps = {taps} : i64, "
            f"weights = dense<[{weights}]> : tensor<{CHANNELS * taps}xf16>}}")
        self.tasks.append(
            f"zin.task <NEFUSED_CONV> on <NEConv> reads {source} writes {result} "
            f"computes #zin.ne<op = mac, window = [{window}, {window}], "
            f"stride = [{stride}, {stride}], "
            f"padding = [{window // 2}, {window // 2}]> with @{kernel}")

    def compute(self, result):
        """Something of the last values."""
        kind = self.random.choice(["product", "window", "relu", "relu", "pair",
                                   "pair", "pair"])
        source = self.random.choice(self.values[-3:])
        if kind == "product":
            self.convolve(source, result)
        elif kind == "window":
            self.convolve(source, result, window=3)
        elif kind == "relu":
            self.tasks.append(
                f"zin.task <NEFUSED_BYPASS> on <NEBypass> reads {source} writes "
                f"{result} computes #zin.ne<op = pass, window = [1, 1], "
                "stride = [1, 1], padding = [0, 0], unicast = 1, "
                "kernelless = true, relu = true>")
        else:
            other = self.random.choice(self.values[-4:])
            op = self.random.choice(["add", "mul", "max"])
            self.tasks.append(
                "zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads "
                f"{source} and {other} writes {result} computes "
                f"#zin.pe<op = {op}, reduce = none, post = none>")

    def give(self, value):
        output = self.buffer("output", CHANNELS, self.rows, COLUMNS)
        self.convolve(value, self.view(output), window=3)

    def whole(self):
        kind = "output" if self.random.random() < 0.1 else "scratch"
        result = self.view(self.buffer(kind, CHANNELS, self.rows, COLUMNS))
        self.compute(result)
        if kind == "scratch":
            self.values.append(result)

    def parts(self, name, views):
        """A value in parts, in any order, one of which others may read."""
        self.random.shuffle(views)
        for view in views:
            self.compute(view)
            if self.random.random() < 0.3:
                self.values.append(view)
            if self.random.random() < 0.3:
                self.whole()

    def joined(self):
        name, half = self.scratch(channels=2), self.shapes["b0"]
        self.parts(name, [self.view(name, (first, 0, 0), half)
                          for first in (0, CHANNELS)])
        result = self.view(self.scratch())
        self.convolve(self.view(name), result, 2 * CHANNELS,
                      self.random.choice([1, 3]))
        self.values.append(result)
        if self.random.random() < 0.4:
            first = self.random.choice([0, CHANNELS // 2, CHANNELS])
            self.values.append(self.view(name, (first, 0, 0), half))

    def channels(self):
        name, half = self.scratch(channels=2), self.shapes["b0"]
        self.parts(name, [self.view(name, (first, 0, 0), half, (2, 1))
                          for first in (0, 1)])
        first = self.random.choice([0, CHANNELS])
        self.values.append(self.view(name, (first, 0, 0), half))
        some = (CHANNELS // 2, *half[1:])
        first, step = self.random.choice([(0, 1), (0, 2), (1, 2)])
        result = self.view(self.scratch())
        self.convolve(self.view(name, (first, 0, 0), some, (step, 1)), result,
                      CHANNELS // 2)
        self.values.append(result)

    def turns(self):
        name, half = self.scratch(rows=2), self.shapes["b0"]
        self.parts(name, [self.view(name, (0, first, 0), half, (1, 2))
                          for first in (0, 1)])
        between, result = self.scratch(rows=2), self.view(self.scratch())
        self.convolve(self.view(name), self.view(between), window=3)
        self.convolve(self.view(between), result, window=3, stride=2)
        self.values.append(result)

    def columns(self):
        name, half = self.scratch(columns=2), self.shapes["b0"]
        self.parts(name, [self.view(name, (0, 0, first), half)
                          for first in (0, COLUMNS)])
        result = self.scratch(columns=2)
        self.convolve(self.view(name), self.view(result), window=3)
        for value in (name, result):
            first = self.random.choice([0, COLUMNS // 2, COLUMNS])
            self.values.append(self.view(value, (0, 0, first), half))


def outputs(tools, source, options, names, folder):
    """What the tasks of a program give, after a pass; and how many they are."""
    tasks, container = folder / "tasks.mlir", folder / "chain.hwx"
    text = subprocess.run(
        [tools / "ane-opt", "-", *options, "--zin-place-l2", "--zin-place-dram"],
        input=source, check=True, stdout=subprocess.PIPE, text=True).stdout
    tasks.write_text(text)
    subprocess.run([tools / "ane-compile", tasks, "-o", container], check=True)
    files = {name: folder / f"{name}.npy" for name in names}
    subprocess.run(
        [tools / "ane-run", container, f"--input=b0={folder / 'b0.npy'}",
         *[f"--output={name}={path}" for name, path in files.items()]], check=True)
    found = {name: np.load(path).view(np.uint16) for name, path in files.items()}
    return found, text.count("zin.task")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cut = failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        chain = Chain(seed)
        options = f"--zin-tile-rows={OPTIONS[seed % len(OPTIONS)]}"
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            numbers = np.random.default_rng(seed).integers(
                -16, 17, chain.shapes["b0"]) / 16
            np.save(folder / "b0.npy", numbers.astype(np.float16))
            run = lambda passes: outputs(arguments.bin, chain.text(), passes,
                                         chain.outputs, folder)
            try:
                (expected, before), (found, after) = run([]), run([options])
                differ = [name for name in chain.outputs
                          if not np.array_equal(expected[name], found[name])]
            except subprocess.CalledProcessError as error:
                differ, before, after = [str(error)], 0, 0
        cut += after > before
        if differ:
            failed += 1
            print(f"seed {seed}, {options}: {', '.join(differ)} differ")
    print(f"{arguments.count} chains, {cut} cut, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
