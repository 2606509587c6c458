root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$(dirname "${BASH_SOURCE[0]}")/../lib/x.sh"
. "$root/lib/y.sh"
tool() {
  x # calls lib/x.sh:x
  y # calls lib/y.sh:y
}
