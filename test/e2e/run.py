#!/usr/bin/python3
"""Runs a MIL file on numbers that the file itself states.

usage: run.py --bin BUILD/bin FILE.mil

Comments of the file say what to run, on what, and what must come out:

    // run: main
    // input x: fp16 [2, 3] = 1 2 3 -4 -0 inf
    // expect y: fp16 [2] = 2 -inf
    // expect z ~ 0.002: fp16 [2, 2] =
    //   0.1 0.2
    //   0.3 0.4

`run` names a function. The lines up to the next `run` state all its inputs and
outputs, the elements in row-major order, behind the = or, if nothing is there,
in the lines that follow. An element is a decimal or hexadecimal number, inf or
nan, and of bool 0 or 1; `1..24` are consecutive integers and `0*16` is one number repeated.

Each function is compiled with --td-format=v10 and =v7. Both containers and the
reference interpreter must give the stated numbers, and the containers the same
bytes. Without ~ a number must come out bit by bit, so -0 is not 0 and fp16 must
be able to hold it; ~ states the largest absolute error. Where engine and
interpreter rightly differ, `expect engine y` and `expect interpreter y` replace
`expect y`.

Prints each wrong element as FILE:LINE of its expectation, and exits with
status 1. A statement that cannot be taken at its word is refused with status 2:
a number that its type cannot hold, a wrong count, an output without an
expectation, a function without a run.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np

TYPES = {"fp16": np.float16, "fp32": np.float32, "bool": np.bool_,
         "int8": np.int8, "uint8": np.uint8, "int16": np.int16,
         "int32": np.int32}
FORMATS = ("v10", "v7")
SHOWN_ELEMENTS = 4

COMMENT = re.compile(r"\s*//\s*(.*?)\s*$")
STATEMENT = re.compile(r"(run|input|expect)\b(?=[^:]*:)")
RUN = re.compile(r"run: (\w+)$")
TENSOR = re.compile(
    r"(?P<kind>input|expect|expect engine|expect interpreter) (?P<name>\w+)"
    r"(?: ~ (?P<tolerance>\S+))?: (?P<dtype>fp16|fp32|bool|u?int8|int16|int32) \[(?P<shape>[\d, ]*)\] ="
    r"(?P<elements>.*)$"
)
ELEMENTS = re.compile(r"[-+.*\w ]*$")
PORT = re.compile(r"^(input|output) +(\w+) (.*)$", re.M)


class Refused(Exception):
    """A statement that cannot be taken at its word."""


class Tensor:
    """An array that is stated; `tolerance` is None if it is exact."""

    def __init__(self, line, match):
        self.line = line
        self.kind, self.name = match["kind"], match["name"]
        self.dtype = TYPES[match["dtype"]]
        self.shape = [int(extent) for extent in match["shape"].split(",")
                      if extent.strip()]
        self.tolerance = match["tolerance"]
        if self.tolerance is not None:
            self.tolerance = float(self.tolerance)
            if not 0 < self.tolerance < np.inf or self.kind == "input":
                raise Refused(f"{line}: only an expectation has a tolerance, "
                              "a positive number")
        self.text = match["elements"].split()

    def read_elements(self):
        """Sets `array`. With a tolerance it is wider than the type."""
        values = [value for text in self.text for value in self.parse(text)]
        if len(values) != np.prod(self.shape):
            raise Refused(f"{self.line}: {self.name} has {len(values)} "
                          f"elements, but its shape is {self.shape}")
        wide = np.array(values, np.float64).reshape(self.shape)
        self.array = wide if self.tolerance else wide.astype(self.dtype)

    def parse(self, text):
        try:
            if ".." in text:
                first, last = map(int, text.split(".."))
                return [self.exact(i) for i in range(first, last + 1)]
            number, _, count = text.partition("*")
            return [self.exact(number)] * (int(count) if count else 1)
        except ValueError:
            raise Refused(f"{self.line}: '{text}' is not a number") from None

    def exact(self, text):
        """The number that is written, if nothing of it is lost."""
        text = str(text)
        value = float.fromhex(text) if "0x" in text else float(text)
        if self.tolerance is None and np.isfinite(value):
            with np.errstate(over="ignore"):
                held = float(self.dtype(value))
            written = Fraction(value) if "0x" in text else Fraction(text)
            if not np.isfinite(held) or Fraction(held) != written:
                raise Refused(f"{self.line}: {np.dtype(self.dtype)} cannot "
                              f"hold {text}; it has {held}")
        return value


class Run:
    """A function with what goes in and what comes out."""

    def __init__(self, line, function):
        self.line, self.function = line, function
        self.tensors = {}

    def add(self, tensor):
        if (tensor.kind, tensor.name) in self.tensors:
            raise Refused(f"{tensor.line}: '{tensor.kind} {tensor.name}' is "
                          "stated twice")
        self.tensors[tensor.kind, tensor.name] = tensor

    def named(self, kind):
        return [tensor for tensor in self.tensors.values()
                if tensor.kind == kind]

    def expectations(self, who):
        """What a program must give, or Refused if something is left open."""
        return self.named("expect") + self.named(f"expect {who}")


def read_runs(path):
    """The runs that the comments of a file state."""
    text = open(path).read()
    runs, open_list = [], None
    for line, content in enumerate(text.splitlines(), 1):
        comment = COMMENT.match(content)
        body = comment[1] if comment else ""
        if not STATEMENT.match(body):
            if comment and ELEMENTS.match(body) and open_list is not None:
                open_list += body.split()
            else:
                open_list = None
            continue
        open_list = None
        run, match = RUN.match(body), TENSOR.match(body)
        if run:
            runs.append(Run(line, run[1]))
        elif match and runs:
            tensor = Tensor(line, match)
            runs[-1].add(tensor)
            if not tensor.text:
                open_list = tensor.text
        else:
            raise Refused(f"{line}: not understood, or in front of the first "
                          f"'run:': {body}")
    names = [run.function for run in runs]
    for function in re.findall(r"^\s*func (\w+)<", text, re.M):
        if function not in names:
            raise Refused(f"1: function '{function}' has no run")
    if not runs:
        raise Refused("1: the file states no run")
    for run in runs:
        for tensor in run.tensors.values():
            tensor.read_elements()
    return runs


def execute(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode} of "
                           f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def differences(expected, got, tolerance):
    """The indices of elements that are not as expected."""
    with np.errstate(invalid="ignore"):
        if tolerance:
            same = np.abs(got.astype(np.float64) - expected) <= tolerance
            same |= got == expected
        else:
            same = (got == expected) & (np.signbit(got) == np.signbit(expected))
    return np.argwhere(~(same | (np.isnan(got) & np.isnan(expected))))


def check(where, who, tensor, got):
    """Prints what is wrong with an output; says whether nothing is."""
    place = f"{where}:{tensor.line}: {tensor.name}"
    if got.dtype != tensor.dtype or list(got.shape) != tensor.shape:
        print(f"{place} of {who} is {got.dtype} {list(got.shape)}, expected "
              f"{np.dtype(tensor.dtype)} {tensor.shape}")
        return False
    expected = tensor.array
    wrong = differences(expected, got, tensor.tolerance)
    for index in map(tuple, wrong[:SHOWN_ELEMENTS]):
        limit = f" within {tensor.tolerance}" if tensor.tolerance else ""
        print(f"{place}{list(index)} of {who} is {got[index]}, expected "
              f"{expected[index]}{limit}")
    if len(wrong) > SHOWN_ELEMENTS:
        print(f"{place} of {who}: {len(wrong)} of {got.size} elements differ")
    return len(wrong) == 0


def perform(run, path, tools, given, folder):
    """Runs one function everywhere; says whether all is as expected."""
    ane_compile, ane_run = tools
    function = ["--function", run.function]
    ports = PORT.findall(execute(ane_run, path, *function, "--list"))
    outputs = {name for kind, name, _ in ports if kind == "output"}
    for who in ("engine", "interpreter"):
        stated = [tensor.name for tensor in run.expectations(who)]
        if sorted(stated) != sorted(outputs):
            raise Refused(f"{run.line}: '{run.function}' gives "
                          f"{', '.join(sorted(outputs))}, but the expectations "
                          f"of the {who} are for {', '.join(stated) or 'none'}")
    inputs, shapes = [], []
    for tensor in run.named("input"):
        np.save(f"{folder}/in_{tensor.name}.npy", tensor.array)
        inputs += ["--input", f"{tensor.name}={folder}/in_{tensor.name}.npy"]
        if any("?" in mil for _, name, mil in ports if name == tensor.name):
            shapes += ["--shape", tensor.name + "="
                       + "x".join(map(str, tensor.shape))]

    programs = {"interpreter": [path, *function]}
    for td_format in FORMATS:
        container = f"{folder}/{td_format}.hwx"
        execute(ane_compile, path, *function, *shapes, *given, "-o",
                container, f"--td-format={td_format}")
        programs[f"engine ({td_format})"] = [container]
    good, produced = True, {}
    for who, program in programs.items():
        command = [ane_run, *program, *inputs]
        for name in outputs:
            command += ["--output", f"{name}={folder}/out_{name}.npy"]
        execute(*command)
        for tensor in run.expectations(who.split()[0]):
            got = np.load(f"{folder}/out_{tensor.name}.npy")
            os.remove(f"{folder}/out_{tensor.name}.npy")
            good &= check(path, who, tensor, got)
            produced[who, tensor.name] = got.tobytes()
    for name in outputs:
        if len({produced[f"engine ({f})", name] for f in FORMATS}) != 1:
            print(f"{path}:{run.line}: {name} of the formats "
                  f"{' and '.join(FORMATS)} has different bytes")
            good = False
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the tools")
    parser.add_argument("--compile", action="append", default=[],
                        metavar="OPTION", help="option of ane-compile")
    parser.add_argument("file")
    options = parser.parse_args()
    tools = [os.path.join(options.bin, tool)
             for tool in ("ane-compile", "ane-run")]
    good = True
    try:
        for run in read_runs(options.file):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    good &= perform(run, options.file, tools,
                                    options.compile, folder)
                except RuntimeError as error:
                    print(f"{options.file}:{run.line}: {error}")
                    good = False
    except Refused as refused:
        print(f"{options.file}:{refused}")
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
