. ./lib.sh
log() { echo "main $1"; }
log a # calls :log
work # calls lib.sh:work
