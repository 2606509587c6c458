. ./a.sh
. ./b.sh
log a # calls b.sh:log (missed)
