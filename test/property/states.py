#!/usr/bin/python3
"""Compiles random MIL programs with states, and checks each with
`ane-compile --verify`, which runs the container with every state in the surface
that it is written to.

usage: states.py --bin BUILD/bin [--count N] [--seed S]

States are read in front of and behind what writes them, as a whole, through
windows, in another order and in parts; so some are written where they lie, and
others have to be copied. Numbers are halves and sums of halves of inputs, which
the engine and the interpreter compute alike. Exit status: 0 all right, 1 not.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

from program import flag, ints, string, type_text

SHAPES = [(4, 8, 16), (3, 5, 7), (16, 32, 32), (64, 64, 64), (1, 128, 64),
          (2, 40, 300), (64, 128, 128)]


class Stateful:
    """The text of one program, drawn from its seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.shape = [1, *self.random.choice(SHAPES)]
        self.states = [f"s{i}" for i in range(self.random.randint(1, 3))]
        self.values, self.lines, self.count = ["x"], [], 0
        for _ in range(self.random.randint(3, 14)):
            step, = self.random.choices(
                (self.read, self.write, self.replace, self.half, self.mean,
                 self.window, self.update, self.reverse),
                (25, 12, 5, 13, 13, 10, 10, 7))
            step()
        self.half()

    def emit(self, call, shape=None):
        name, self.count = f"v{self.count}", self.count + 1
        self.lines.append(f"{type_text('fp16', shape or self.shape)} {name} = "
                          f"{call};")
        return name

    def value(self):
        return self.random.choice(self.values)

    def add(self, call):
        self.values.append(self.emit(call))

    def read(self):
        self.add(f"read_state(input = {self.random.choice(self.states)})")

    def write(self):
        state = self.random.choice(self.states)
        self.lines.append(f"write_state(data = {self.value()}, "
                          f"input = {state});")

    def replace(self):
        """Writes a state and goes on with what it has then."""
        self.add(f"coreml_update_state(state = "
                 f"{self.random.choice(self.states)}, value = {self.value()})")

    def half(self):
        self.add(f"mul(x = {self.values[-1]}, y = fp16(0.5))")

    def mean(self):
        total = self.emit(f"add(x = {self.value()}, y = {self.value()})")
        self.add(f"mul(x = {total}, y = fp16(0.5))")

    def window(self):
        self.add(f"max_pool(x = {self.value()}, kernel_sizes = {ints([3, 3])}, "
                 f"strides = {ints([1, 1])}, pad_type = {string('same')}, "
                 f"ceil_mode = {flag(False)})")

    def reverse(self):
        axis = self.random.choice((1, 2))
        self.add(f"reverse(x = {self.value()}, axes = {ints([axis])})")

    def update(self):
        begin, end = [0] * len(self.shape), list(self.shape)
        axis = self.random.choice((1, 2, 3))
        begin[axis] = self.random.randrange(self.shape[axis])
        end[axis] = self.random.randint(begin[axis] + 1, self.shape[axis])
        where = f"begin = {ints(begin)}, end = {ints(end)}"
        part = [last - first for first, last in zip(begin, end)]
        update = self.emit(f"slice_by_index(x = {self.value()}, {where})", part)
        update = self.emit(f"relu(x = {update})", part)
        self.add(f"slice_update(x = {self.value()}, update = {update}, {where})")

    def text(self):
        shape = type_text("fp16", self.shape)
        inputs = [f"state<{shape}> {state}" for state in self.states]
        return (f"program(1.3)\n{{\n  func main<ios18>({', '.join(inputs)}, "
                f"{shape} x) {{\n    " + "\n    ".join(self.lines) +
                f"\n  }} -> ({self.values[-1]});\n}}\n")


def check(tools, seed, folder):
    """What is wrong with a program; empty if nothing is."""
    path = f"{folder}/model.mil"
    with open(path, "w") as file:
        file.write(Stateful(seed).text())
    td_format = "v7" if seed % 3 == 0 else "v10"
    done = subprocess.run([f"{tools}/ane-compile", path, "-o",
                           f"{folder}/model.hwx", "--verify",
                           f"--td-format={td_format}"],
                          capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tools, failed = os.path.abspath(options.bin), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            if problem := check(tools, seed, folder):
                failed += 1
                print(f"seed {seed}:\n{Stateful(seed).text()}{problem}")
    print(f"{options.count} programs, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
