. ./base.sh
log() { echo "lib $1"; }
