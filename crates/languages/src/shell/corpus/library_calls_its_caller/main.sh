. ./lib.sh
hook() { echo hook; }
run_hook # calls lib.sh:run_hook
