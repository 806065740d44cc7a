#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
#
# build.sh FOLDER: compiles the tool of GradBench in FOLDER/LEVEL for each level of x86-64 processors; elsewhere for all
# processors of its kind, in FOLDER/all. With the flags of bench/CMakeLists.txt, which g++ knows from version 12 on.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
levels=all
if [ "$(uname -m)" = x86_64 ]; then levels="x86-64 x86-64-v3 x86-64-v4"; fi
for level in $levels; do
    flags=
    if [ "$level" != all ]; then flags="-march=$level -mprefer-vector-width=256 -mmove-max=256 -mstore-max=256"; fi
    mkdir -p "$1/$level"
    # shellcheck disable=SC2086 # the flags are words
    "${CXX:-g++}" -std=c++20 -O3 -DNDEBUG $flags "-I$here/../../include" "$here/tool.cpp" "$here/by_chainrule.cpp" \
        "$here/by_kernels.cpp" -o "$1/$level/tool"
done
