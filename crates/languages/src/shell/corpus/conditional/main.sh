# with: a
# with: b
if [ "$1" = a ]; then
  f() { echo a; }
else
  f() { echo b; }
fi
g() { f; } # calls :f@4, :f@6
f # calls :f@4, :f@6
g # calls :g
