f() { echo f; }
g() { echo g; }
time f 2>/dev/null # calls :f
time -p g # calls :g
TIMEFORMAT=%R
time { f; } # calls :f (missed)
