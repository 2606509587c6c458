f() { echo f; }
f & # calls :f
wait
{ f; } & wait # calls :f
