f() { echo f; } 2>/dev/null
g() { cat; }
f >/dev/null 2>&1 # calls :f
> /dev/null f # calls :f
g < <(f) # calls :g, :f
{ f; g </dev/null; } > /dev/null # calls :f, :g
