f() { echo f; }
alias f=echo
f # calls :f@1
