value() { echo v; }
show() {
  local own=$(value) # calls :value
  local -r other="$(value)" # calls :value
  echo "$own $other $A $B"
}
A=1 B=$(value) show # calls :value, :show
export C=$(value) # calls :value
readonly D="$(value)" # calls :value
E+=$(value) # calls :value
