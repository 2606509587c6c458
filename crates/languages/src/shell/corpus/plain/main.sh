greet() {
  say "hello $1" # calls :say
}
say() { echo "$@"; }
greet world # calls :greet
say done # calls :say
