. ./lib.sh
hook() { echo main; }
both() { echo main; }
run_hook # calls lib.sh:run_hook
