#!/usr/bin/python3
"""Checks how much the tasks of a program move.

usage: moved.py REPORT.json TIMES

Exits with status 1 if they move more than TIMES the bytes that inputs, outputs
and constants have.
"""
import json
import sys


def main():
    with open(sys.argv[1]) as file:
        total = json.load(file)["total"]
    moved = total["readBytes"] + total["writtenBytes"]
    times = moved / total["compulsoryBytes"]
    if times > float(sys.argv[2]):
        print(f"{times:.2f} times the bytes that must move")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
