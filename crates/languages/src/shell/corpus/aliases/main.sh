shopt -s expand_aliases
f() { echo "f $*"; }
alias go='f fast' # calls :f
go now # calls :go
