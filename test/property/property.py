#!/usr/bin/python3
"""Runs random MIL programs through compiler and engine and through the reference
interpreter, and compares.

usage: property.py --bin BUILD/bin [--count N] [--seed S] [--jobs J]
                   [--at-least SHARE] [--keep DIR] [--only SEED]

Of each program must hold:

* it compiles, or it is refused at a place of the text with the id of a
  constraint of the target; --at-least bounds the share of those that compile;
* what the container computes and what the text says differ by no more than the
  bound that goes with each value, and not at all where all numbers are exact;
* one program in four: the v7 container computes the same bytes as the v10 one;
* one program in four: compiling again gives the same files.

A program is drawn from its seed alone: --only SEED draws it again, and --keep
leaves text and inputs of what fails in a folder. A failure is followed by the
shortest beginning of the program that still fails. Exit status: 0 all held, 1
something did not, 2 bad command line.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

import generate

PLACE = re.compile(r"^[^\n]*:\d+:\d+: error: ", re.M)
CONSTRAINT = re.compile(r"\[((?:h13|zin|mil)-[\w-]+)\]\s*$", re.M)
BROKEN = re.compile(r"Assertion|Sanitizer|PLEASE submit|Stack dump")
TIME_LIMIT = 60
SHOWN_FAILURES = 20
# Shares of the programs that are compiled a second time.
EVERY_V7 = 4
EVERY_AGAIN = 4


class Failure(Exception):
    """What should hold does not."""


class Refused(Exception):
    """The compiler says what it cannot do."""


def execute(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took more than {TIME_LIMIT} s") from None
    text = done.stderr.decode("utf-8", "replace")
    if done.returncode < 0 or BROKEN.search(text):
        raise Failure(f"{command[0]} crashed: {text[-600:]}")
    return done.returncode, text


def compile_program(tools, source, container, td_format):
    status, text = execute(tools["ane-compile"], source, "-o", container,
                           f"--td-format={td_format}", "--verify-each")
    if status == 0:
        return
    found = CONSTRAINT.search(text)
    if not PLACE.search(text) or not found:
        raise Failure(f"refused without place or constraint: {text[:600]}")
    if found[1].startswith("mil-"):
        raise Failure(f"the verifier refuses a program of the language: "
                      f"{text[:600]}")
    raise Refused(found[1])


def run_program(tools, program, parameters, outputs, folder, who):
    command = [tools["ane-run"], program]
    if program.endswith(".hwx"):
        command += ["--threads", "1"]
    for value in parameters:
        command += ["--input", f"{value.name}={folder}/{value.name}.npy"]
    for value in outputs:
        command += ["--output", f"{value.name}={folder}/{who}-{value.name}.npy"]
    status, text = execute(*command)
    if status != 0:
        raise Failure(f"{who} does not run: {text[:600]}")
    return [np.load(f"{folder}/{who}-{value.name}.npy") for value in outputs]


def compare(value, got, want):
    """Raises Failure if the arrays are further apart than the value says."""
    # On the host the engine's integers have signs.
    if got.dtype == np.int16 and want.dtype == np.uint16:
        want = want.astype(np.int16)
    if got.dtype != want.dtype or got.shape != want.shape:
        raise Failure(f"{value.name} is {got.dtype} {got.shape}, "
                      f"expected {want.dtype} {want.shape}")
    got, want = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(got - want) <= value.error)
    if wrong.any():
        at = np.unravel_index(np.argmax(wrong), wrong.shape)
        raise Failure(
            f"{value.name}{list(map(int, at))} is {got[at]}, expected "
            f"{want[at]} within {value.error:.3g}; {int(wrong.sum())} of "
            f"{wrong.size} elements differ")
    inside = (want >= value.low - value.error) \
        & (want <= value.high + value.error)
    if not inside.all():
        raise Failure(f"{value.name} leaves {value.low} to {value.high}: the "
                      "generator is wrong, or the interpreter")


def check(tools, program, outputs, folder, thorough):
    """Compiles and runs the statements that lead to these outputs."""
    text, parameters = program.text(outputs)
    source = f"{folder}/p.mil"
    with open(source, "w") as file:
        file.write(text)
    for value in parameters:
        np.save(f"{folder}/{value.name}.npy", program.arrays[value.name])
    compile_program(tools, source, f"{folder}/v10.hwx", "v10")
    got = run_program(tools, f"{folder}/v10.hwx", parameters, outputs, folder,
                      "v10")
    want = run_program(tools, source, parameters, outputs, folder, "mil")
    for value, engine, reference in zip(outputs, got, want):
        compare(value, engine, reference)
    if thorough or program.seed % EVERY_V7 == 0:
        compile_program(tools, source, f"{folder}/v7.hwx", "v7")
        again = run_program(tools, f"{folder}/v7.hwx", parameters, outputs,
                            folder, "v7")
        for value, one, other in zip(outputs, got, again):
            if one.tobytes() != other.tobytes():
                raise Failure(f"{value.name} of v7 and v10 has different bytes")
    if thorough or program.seed % EVERY_AGAIN == 1:
        os.makedirs(f"{folder}/again", exist_ok=True)
        compile_program(tools, source, f"{folder}/again/v10.hwx", "v10")
        for name in ("v10.hwx", "v10.e5"):
            with open(f"{folder}/{name}", "rb") as one, \
                    open(f"{folder}/again/{name}", "rb") as other:
                if one.read() != other.read():
                    raise Failure(f"{name} differs from compilation to "
                                  "compilation")


def reduce(tools, program, folder):
    """The first value that fails on its own: its text, and why."""
    for value in program.values:
        if value.name in program.arrays:
            continue
        try:
            check(tools, program, [value], folder, True)
        except Refused:
            pass
        except Failure as failure:
            return program.text([value])[0], str(failure)
    return None


def judge(tools, seed, keep):
    """(status, detail, ops) of one program."""
    program = generate.make(seed)
    outputs = program.outputs()
    if not outputs:
        return "empty", "", []
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(tools, program, outputs, folder, False)
            return "same", "", program.ops
        except Refused as refused:
            return "refused", str(refused), program.ops
        except Failure as failure:
            message = str(failure).replace(folder, "")
            text = program.text(outputs)[0]
            if keep:
                shutil.copytree(folder, f"{keep}/{seed}", dirs_exist_ok=True)
            shorter = reduce(tools, program, folder)
            if shorter:
                text, message = shorter[0], f"{message}\nalone: {shorter[1]}"
                if keep:
                    with open(f"{keep}/{seed}/short.mil", "w") as file:
                        file.write(text)
            return "failed", f"{message}\n{text[:3000]}", program.ops


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the tools")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1,
                        help="of the first program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at-least", type=float, default=0.0,
                        help="share of programs that must compile")
    parser.add_argument("--keep", help="folder for programs that fail")
    parser.add_argument("--only", type=int, help="this program alone")
    options = parser.parse_args()
    if options.count < 1 or options.jobs < 1:
        parser.error("--count and --jobs are at least 1")
    tools = {name: os.path.join(options.bin, name)
             for name in ("ane-compile", "ane-run")}
    seeds = range(options.seed, options.seed + options.count)
    if options.only is not None:
        seeds = [options.only]

    started = time.monotonic()
    statuses, reasons = collections.Counter(), collections.Counter()
    compiled, refused = collections.Counter(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        chunk = max(1, min(25, len(seeds) // options.jobs))
        for seed, (status, detail, ops) in zip(seeds, pool.map(
                judge, [tools] * len(seeds), seeds,
                [options.keep] * len(seeds), chunksize=chunk)):
            statuses[status] += 1
            (compiled if status == "same" else refused).update(set(ops))
            if status == "refused":
                reasons[detail] += 1
            if status == "failed" and statuses["failed"] <= SHOWN_FAILURES:
                print(f"seed {seed}: {detail}", flush=True)
    judged = statuses["same"] + statuses["refused"] + statuses["failed"]
    share = (judged - statuses["refused"]) / judged if judged else 0
    print(f"{judged} programs of {len(compiled | refused)} ops: "
          f"{statuses['same']} agree, {statuses['refused']} refused, "
          f"{statuses['failed']} failed; {share:.1%} compile; "
          f"{time.monotonic() - started:.0f} s")
    for reason, count in reasons.most_common():
        print(f"  refused by {reason}: {count}")
    missing = sorted(set(refused) - set(compiled))
    if missing:
        print(f"  never compiled: {', '.join(missing)}")
    if share < options.at_least:
        print(f"at least {options.at_least:.1%} should compile")
        return 1
    return 1 if statuses["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
