check() { return 3; }
both() {
  check # calls :check
  return $?
}
both || exit_code=$? # calls :both
echo "$exit_code $(check; echo $?)" # calls :check
