# with: a
# with: b
f() { echo f; }
g() { echo g; }
if [ "$1" = a ]; then handler=f; else handler=g; fi
$handler # calls :f, :g
