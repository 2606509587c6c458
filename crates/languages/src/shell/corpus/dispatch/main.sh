cmd_start() { echo start; }
main() {
  local name=${1:-start}
  "cmd_$name" # calls :cmd_start (missed)
  case "$name" in
    start) cmd_start ;; # calls :cmd_start
  esac
}
main "$@" # calls :main
