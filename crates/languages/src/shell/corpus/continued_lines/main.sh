f() { echo "$@"; }
g() { return 0; }
g && # calls :g
  f c # calls :f
g | # calls :g
  f e # calls :f
