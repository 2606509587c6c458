log() { echo "base $1"; }
