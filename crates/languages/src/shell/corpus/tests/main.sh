two() { echo 2; }
[ "$(two)" -eq 2 ] && echo yes # calls :two
[[ $(two) == 2 && -n "$(two)" ]] && echo yes # calls :two
test "$(two)" = 2 # calls :two
