if [ -z "$B" ]; then
  B=1
  . ./a.sh
fi
two() { echo two; }
three() { one; } # calls a.sh:one
