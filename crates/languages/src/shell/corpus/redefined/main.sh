f() { echo 1; }
f # calls :f@1
g() { f; } # calls :f@4
f() { echo 2; }
f # calls :f@4
g # calls :g
