list() { printf '%s\n' b a; }
upper() { tr a-z A-Z; }
last() { tail -n 1; }
list | sort | upper # calls :list, :upper
list |& upper | last # calls :list, :upper, :last
