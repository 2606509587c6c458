. ./lib.sh
log a # calls lib.sh:log
