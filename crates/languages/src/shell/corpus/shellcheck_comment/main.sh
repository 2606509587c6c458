LIB=$PWD/lib.sh
# shellcheck source=lib.sh
. "$(echo "$LIB")"
helper # calls lib.sh:helper
