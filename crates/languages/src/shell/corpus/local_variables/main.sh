f() { echo f; }
g() { echo g; }
one() {
  local action=f
  $action # calls :f
}
two() {
  local action
  action=g
  "$action" # calls :g
}
one # calls :one
two # calls :two
