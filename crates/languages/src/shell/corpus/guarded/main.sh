type have >/dev/null 2>&1 || have() { command -v "$1"; }
declare -F need >/dev/null || need() {
  have "$1" || return 1 # calls :have
}
need sh # calls :need
