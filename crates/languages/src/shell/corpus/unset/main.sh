f() { echo f; }
f # calls :f
unset -f f
f 2>/dev/null # calls :f (wrong)
