#!/bin/sh
# What the Kotlin compiler says of the calls of a folder: run.sh JARS OUT FILES_LIST [COMPILER_ARGUMENT...]
#
#   JARS        the folder `run_kotlin_kernel/jars` of the wheel of kotlin-jupyter-kernel (PyPI), which holds the compiler
#   OUT         the file to write
#   FILES_LIST  a file with one path of a source for each line (Kotlin and Java)
#
# Options of the compiler may follow, such as `-Xmulti-platform -Xfragments=…`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jars=$1 out=$2 list=$3
shift 3
all=$(echo "$jars"/kotlin-jupyter-kernel-*-all.jar)
std=$(echo "$jars"/kotlin-stdlib-*.jar):$(echo "$jars"/annotations-*.jar)
kotlinc="java -Xmx6g -cp $all org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -nowarn"
work=${TMPDIR:-/tmp}/call-truth
if [ ! -e "$work/plugin.jar" ]; then
    mkdir -p "$work/classes/META-INF/services"
    $kotlinc -cp "$all:$std" -d "$work/classes" "$here/CallTruth.kt"
    echo truth.Registrar >"$work/classes/META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
    jar cf "$work/plugin.jar" -C "$work/classes" .
fi
# Errors are expected: dependencies are not there.
CALL_TRUTH=$out $kotlinc "-Xplugin=$work/plugin.jar" -cp "$std:$all" -d "$work/none" "$@" "@$list" >"$out.log" 2>&1 || true
tail -1 "$out.log"
wc -l <"$out"
