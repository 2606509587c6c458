f() { echo "f $*"; }
g() { echo "g $*"; }
arg=x
eval f a # calls :f
eval 'f a; g b' # calls :f, :g
eval "f $arg" # calls :f
eval "x=\$(g)" # calls :g
