f() { echo f; }
export -f f
bash -c 'f'
declare -f f >/dev/null
type f >/dev/null
