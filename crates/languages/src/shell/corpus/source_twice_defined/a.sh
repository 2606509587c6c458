log() { echo "a $1"; }
