main() {
  step_one # calls :step_one
  step_two # calls :step_two
}
step_one() { step_two; } # calls :step_two
step_two() { echo two; }
main "$@" # calls :main
