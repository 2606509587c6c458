if [ -z "$A" ]; then
  A=1
  . ./b.sh
fi
one() { two; } # calls b.sh:two
