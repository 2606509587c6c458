one() { echo 1; }
two() { echo 2; }
steps=(one two)
for step in "${steps[@]}"; do
  "$step" # calls :one (missed), :two (missed)
done
