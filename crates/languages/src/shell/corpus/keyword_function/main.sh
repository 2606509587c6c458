function one { two; } # calls :two
function two() { echo 2; }
function three ()
{
  one # calls :one
}
three # calls :three
