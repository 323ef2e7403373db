// RUN: split-file %s %t
// RUN: not ane-translate --export-mil %t/ops.mlir -o %t.mil 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: not ls %t.mil
// RUN: not ane-translate --export-mil %t/version.mlir 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not ane-translate --export-mil %t/syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX

//--- ops.mlir
// OPS: ops.mlir:2:1: error: MIL text cannot say the build info
module attributes {mil.build_info = 3 : i32} {}
//--- version.mlir
// VERSION: error: version '7' of MIL text is not known
module attributes {mil.version = "7"} {}
//--- syntax.mlir
// SYNTAX: syntax.mlir:{{[0-9]+}}:1: error: custom op 'nonsense' is unknown
nonsense
