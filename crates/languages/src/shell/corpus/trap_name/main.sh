cleanup() { echo clean; }
trap cleanup EXIT # calls :cleanup
trap - INT
trap '' TERM
