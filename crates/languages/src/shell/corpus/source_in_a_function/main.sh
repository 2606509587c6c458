setup_() {
  . ./lib.sh
  helper # calls lib.sh:helper
}
setup_ # calls :setup_
helper # calls lib.sh:helper
