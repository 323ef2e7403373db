#!/usr/bin/env bash
# usage: compile-seeds.sh ANE_COMPILE DIRECTORY
# Compiles the programs of test/e2e, for the fuzzers of the engine and of IR to
# start from.
set -euo pipefail
compiler=$1
seeds=$2/engine
ir=$2/ir
mkdir -p "$seeds" "$ir"
for program in "$(dirname "$0")"/../e2e/*.mil; do
  for format in v7 v10; do
    # One is there to be refused.
    "$compiler" "$program" --td-format=$format \
      -o "$seeds/$(basename "$program" .mil)-$format.hwx" 2>/dev/null || true
  done
done
# IR of each phase, of small programs.
for program in abs attention cast channel-norms conv-volume cumsum mask \
  narrow-norms rotary select small-coefficients tight-layouts tile; do
  for phase in mil zin tasks; do
    "$compiler" "$(dirname "$0")/../e2e/$program.mil" --emit=$phase \
      --missing-weights=seeded \
      -o "$ir/$program-$phase.mlir" 2>/dev/null
  done
done
# What lies beside the containers is for other readers.
rm -f "$seeds"/*.e5
[[ -f $seeds/add-v7.hwx && -f $seeds/conv-window-v10.hwx ]]
