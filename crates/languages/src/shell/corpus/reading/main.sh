lines() { printf '%s\n' a b; }
each() { echo "$1"; }
lines | while IFS= read -r line; do # calls :lines
  each "$line" # calls :each
done
while read -r line; do each "$line"; done < <(lines) # calls :each, :lines
