log() { echo "b $1"; }
