# Writes each command that a Bash script runs, with the function that it belongs to and the place which called that function.
# Bash reads this file before a script where BASH_ENV names it. TRACE names the file for the output.
#
# A line: +|file|line|function|file of the caller|line of the call|copy of the test|test|command. The number of + says how deep
# substitutions nest. Bats runs a copy of each file of tests.

exec 199>>"$TRACE"
BASH_XTRACEFD=199
PS4='+|${BASH_SOURCE[0]-}|${LINENO-}|${FUNCNAME[0]-}|${BASH_SOURCE[1]-}|${BASH_LINENO[0]-}|${BATS_TEST_SOURCE-}|${BATS_TEST_FILENAME-}|'
set -x
