sub() ( one ) # calls :one
one() { echo 1; }
branch() if one; then one; fi # calls :one
loop() for x in a; do one; done # calls :one (missed)
sub # calls :sub
branch # calls :branch
loop # calls :loop (missed)
