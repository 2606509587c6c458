two() { echo 2; }
echo $(($(two) + 1)) # calls :two
((x = $(two))) # calls :two
let "y = $(two)" # calls :two
echo "$x $y ${z[$(two)]}" # calls :two
