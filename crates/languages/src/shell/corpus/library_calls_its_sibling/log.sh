log() { echo "$1"; }
