run_hook() {
  hook # calls main.sh:hook (missed), other.sh:hook (missed)
  both 2>/dev/null # calls main.sh:both (missed)
}
