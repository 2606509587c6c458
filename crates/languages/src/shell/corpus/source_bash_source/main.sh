source "${BASH_SOURCE%/*}/lib/a.sh"
source "${BASH_SOURCE[0]%/*}/lib/b.sh"
a # calls lib/a.sh:a
b # calls lib/b.sh:b
