. ./lib.sh
hook() { echo other; }
run_hook # calls lib.sh:run_hook
