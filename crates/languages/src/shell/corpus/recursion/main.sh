down() {
  [ "$1" -gt 0 ] && down $(($1 - 1)) # calls :down
  even "$1" # calls :even
}
even() { [ "$1" = 0 ] || odd $(($1 - 1)); } # calls :odd
odd() { [ "$1" != 0 ] && even $(($1 - 1)); } # calls :even
down 2 # calls :down
