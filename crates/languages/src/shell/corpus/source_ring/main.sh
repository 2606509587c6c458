. ./a.sh
one # calls a.sh:one
