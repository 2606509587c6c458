one() { echo 1; }
two() { echo 2; }
for step in one two; do
  $step # calls :one, :two
done
for step in one two; do "$step" x || exit; done # calls :one, :two
