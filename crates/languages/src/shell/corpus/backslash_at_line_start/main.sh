f() { echo "f $*"; }
g() {
  f a # calls :f
  \f b # calls :f
  \echo c
}
g # calls :g
\g d # calls :g (missed)
