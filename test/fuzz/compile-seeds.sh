#!/usr/bin/env bash
# usage: compile-seeds.sh ANE_COMPILE DIRECTORY
# Compiles the programs of test/e2e, for the fuzzer of the engine to start from.
set -euo pipefail
compiler=$1
seeds=$2/engine
mkdir -p "$seeds"
for program in "$(dirname "$0")"/../e2e/*.mil; do
  for format in v7 v10; do
    # One is there to be refused.
    "$compiler" "$program" --td-format=$format \
      -o "$seeds/$(basename "$program" .mil)-$format.hwx" 2>/dev/null || true
  done
done
# What lies beside the containers is for other readers.
rm -f "$seeds"/*.e5
[[ -f $seeds/add-v7.hwx && -f $seeds/conv-window-v10.hwx ]]
