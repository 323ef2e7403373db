# Runs the tools of this project over the files in this folder.

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "ane-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mil", ".mlir", ".test"]
config.excludes = ["Inputs", "fuzz", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.ane_test_dir

llvm_config.use_default_substitutions()
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%root", config.ane_source_dir))
config.substitutions.append(("%build", config.ane_build_dir))

tools = ["ane-audit", "ane-compile", "ane-objdump", "ane-opt", "ane-patch", "ane-run", "ane-translate"]
llvm_config.add_tool_substitutions(
    [ToolSubst(tool, unresolved="ignore") for tool in tools]
    + [ToolSubst(tool) for tool in ("FileCheck", "not", "split-file")],
    [config.ane_tools_dir, config.llvm_tools_dir],
)

# Real programs and cases are not part of the repository. Tests over them
# require the feature and find the folder as %data.
data = os.environ.get("ANE_TEST_DATA", "")
if data:
    config.available_features.add("test-data")
config.substitutions.append(("%data", data))

# scripts/lint installs what it does not find, and asks git for the sources.
if all(shutil.which(tool) for tool in ("clang-format-22", "clang-tidy-22", "git")):
    listing = subprocess.run(["git", "-C", config.ane_source_dir, "ls-files"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if listing.returncode == 0:
        config.available_features.add("lint")
