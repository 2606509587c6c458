run() { "$@"; } # calls :f (missed)
f() { echo f; }
run f # calls :run
