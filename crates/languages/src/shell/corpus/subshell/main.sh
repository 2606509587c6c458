f() { echo f; }
g() { echo g; }
(f; cd / && g) # calls :f, :g
(
  f # calls :f
  (g) # calls :g
)
