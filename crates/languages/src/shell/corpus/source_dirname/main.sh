. "$(dirname "$0")/lib.sh"
. `dirname $0`/other.sh
helper # calls lib.sh:helper
other # calls other.sh:other
