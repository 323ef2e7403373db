#!/usr/bin/env python3
"""Compares the compiled digit classifier with the reference interpreter.

Compiles model.mil, runs the 360 test images through the container and
through the MIL program itself, and prints both accuracies side by side:

    python3 evaluate.py build/bin/ane-compile build/bin/ane-run

Exit status: 0 good, 1 the engine misses the limits below, 2 a program could
not be run.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
MODEL = HERE / "model.mil"
CLASSES = 10

MINIMUM_ACCURACY = 0.95
# Largest accepted distance of the engine's accuracy from the reference's.
MAXIMUM_DISTANCE = 0.01

TIMEOUT_SECONDS = 120
SHOWN_IMAGES = 4
SHOWN_MISTAKES = 4
GREYS = " .:-=+*#%@"


class RunError(Exception):
    """A program failed or did not deliver what its command line promises."""


def execute(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors="replace", timeout=TIMEOUT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunError(str(error)) from error
    if done.returncode != 0:
        raise RunError(f"exit status {done.returncode} of: "
                       f"{' '.join(command)}\n{done.stderr.rstrip()}")


def infer(ane_run: str, program: Path, image: np.ndarray,
          folder: Path) -> np.ndarray:
    """Runs one image [1, 8, 8]; returns its probabilities [10]."""
    source, result = folder / "image.npy", folder / "probabilities.npy"
    folder.mkdir(parents=True)
    np.save(source, image[None])
    execute([ane_run, str(program), "--input", f"image={source}",
             "--output", f"probabilities={result}"])
    try:
        probabilities = np.load(result)
    except (OSError, ValueError) as error:
        raise RunError(f"{program.name}: no readable result: "
                       f"{error}") from error
    if (probabilities.shape != (1, CLASSES) or
            probabilities.dtype != np.float32):
        raise RunError(f"{program.name}: result is {probabilities.dtype} "
                       f"{list(probabilities.shape)}, not float32 "
                       f"[1, {CLASSES}]")
    if not np.isfinite(probabilities).all():
        raise RunError(f"{program.name}: result has values that are not "
                       f"finite: {probabilities[0]}")
    return probabilities[0]


def infer_all(ane_run: str, program: Path, images: np.ndarray, folder: Path,
              jobs: int) -> np.ndarray:
    """Runs every image in a process of its own; returns [N, 10]."""
    start = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(infer, ane_run, program, image,
                            folder / f"{index:03d}")
                for index, image in enumerate(images)]
        try:
            rows = [run.result() for run in runs]
        except RunError:
            pool.shutdown(cancel_futures=True)
            raise
    print(f"{program.name}: {len(images)} images in "
          f"{time.monotonic() - start:.1f} s")
    return np.stack(rows)


def render(image: np.ndarray) -> list[str]:
    """Lines of an image [8, 8] in 0..1; a pixel is two characters wide."""
    levels = np.rint(image.clip(0, 1) * (len(GREYS) - 1)).astype(int)
    return ["".join(GREYS[level] * 2 for level in row) for row in levels]


def show(title: str, indices: np.ndarray, images: np.ndarray,
         labels: np.ndarray, engine: np.ndarray,
         reference: np.ndarray) -> None:
    """Prints the chosen images side by side with what was said of them."""
    columns = []
    for index in indices:
        columns.append([f"image {index}", *render(images[index, 0]),
                        f"label      {labels[index]}"])
        for name, rows in (("engine", engine), ("reference", reference)):
            best = rows[index].argmax()
            columns[-1].append(f"{name:9}  {best} {rows[index, best]:.3f}")
    if columns:
        print(f"\n{title}")
        for line in zip(*columns):
            print("   ".join(f"{text:18}" for text in line).rstrip())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ane_compile", help="path of ane-compile")
    parser.add_argument("ane_run", help="path of ane-run")
    parser.add_argument("--jobs", type=int, default=2,
                        help="processes at a time (default: 2)")
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    tools = []
    for tool in (options.ane_compile, options.ane_run):
        path = shutil.which(tool)
        if path is None:
            parser.error(f"{tool} is not an executable file")
        tools.append(path)
    ane_compile, ane_run = tools

    images = np.load(HERE / "test_images.npy")
    labels = np.load(HERE / "test_labels.npy")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            container = folder / "model.hwx"
            execute([ane_compile, str(MODEL), "-o", str(container)])
            engine = infer_all(ane_run, container, images, folder / "engine",
                               options.jobs)
            reference = infer_all(ane_run, MODEL, images,
                                  folder / "reference", options.jobs)
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2

    hits = {name: rows.argmax(1) == labels
            for name, rows in (("engine", engine), ("reference", reference))}
    shown = (images, labels, engine, reference)
    show("First images", np.arange(min(SHOWN_IMAGES, len(images))), *shown)
    show("Mistakes of the engine",
         np.flatnonzero(~hits["engine"])[:SHOWN_MISTAKES], *shown)

    print(f"\n{'':12}{'engine':>10}{'reference':>12}")
    print(f"{'correct':12}{hits['engine'].sum():10}"
          f"{hits['reference'].sum():12}   of {len(labels)}")
    accuracy = {name: float(good.mean()) for name, good in hits.items()}
    print(f"{'accuracy':12}{accuracy['engine']:10.2%}"
          f"{accuracy['reference']:12.2%}")
    agreement = int((engine.argmax(1) == reference.argmax(1)).sum())
    difference = np.abs(engine - reference)
    print(f"same class for {agreement} of {len(labels)} images; largest "
          f"difference of a probability {difference.max():.6f} "
          f"(image {difference.max(1).argmax()})")

    failures = []
    if accuracy["engine"] < MINIMUM_ACCURACY:
        failures.append(f"the engine's accuracy is below "
                        f"{MINIMUM_ACCURACY:.0%}")
    if abs(accuracy["engine"] - accuracy["reference"]) > MAXIMUM_DISTANCE:
        failures.append("the accuracies differ by more than "
                        f"{MAXIMUM_DISTANCE * 100:.0f} percentage point")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
