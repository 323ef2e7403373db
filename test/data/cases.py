#!/usr/bin/python3
"""Runs the cases of the test data and compares what happened with a floor.

usage: cases.py --check RUN_CASES.py --bin BUILD/bin --floor N
                [--explained CASE ...] [ARGUMENT...]

ARGUMENTs go to the script of the test data, which compiles and runs each case
and says whether it passed, gave wrong numbers, was refused with a message at a
place in the program, failed silently or crashed. A refusal is no failure: most
cases have ops that the compiler does not know. Prints each case that did worse,
and exits with status 1 if there is one or fewer than N cases passed. A CASE
that docs/interpreter.md explains may be wrong, by part of its name.
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile

FAILURES = ("wrong", "silent", "crash")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", required=True)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--floor", required=True, type=int)
    parser.add_argument("--explained", action="append", default=[])
    options, arguments = parser.parse_known_args()
    with tempfile.NamedTemporaryFile("r") as result:
        done = subprocess.run(
            [sys.executable, options.check, "--bin", options.bin,
             "--json", result.name, *arguments],
            capture_output=True, text=True)
        try:
            cases = json.load(result)
        except json.JSONDecodeError:
            sys.exit(f"{options.check} gave no result\n{done.stderr}")
    for case in cases:
        if case["status"] == "wrong" and any(part in case["case"]
                                             for part in options.explained):
            case["status"] = "explained"
    counts = collections.Counter(case["status"] for case in cases)
    for case in cases:
        if case["status"] in FAILURES:
            print(f"{case['status']}: {case['case']}: {case['message']}")
    print(", ".join(f"{status} {count}"
                    for status, count in sorted(counts.items())))
    if counts["pass"] < options.floor:
        print(f"{counts['pass']} cases pass, at least {options.floor} must")
    failed = any(counts[status] for status in FAILURES)
    sys.exit(failed or counts["pass"] < options.floor)


if __name__ == "__main__":
    main()
