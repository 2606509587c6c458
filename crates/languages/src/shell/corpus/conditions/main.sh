ready() { [ -n "$done_" ]; }
finish() { done_=1; }
if ready; then # calls :ready
  :
elif finish; then # calls :finish
  ready && finish || finish # calls :ready, :finish
fi
done_=
until ready; do # calls :ready
  finish # calls :finish
done
while ready; do # calls :ready
  done_=
done
