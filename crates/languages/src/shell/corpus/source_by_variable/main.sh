HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" >/dev/null 2>&1 && pwd -P)"
LIB=$HERE/lib
. "$HERE/a.sh"
. "${LIB}/b.sh"
a # calls a.sh:a
b # calls lib/b.sh:b
