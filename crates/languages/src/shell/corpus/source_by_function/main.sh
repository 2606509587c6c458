use() { . "./$1.sh"; }
use lib # calls :use
helper # calls lib.sh:helper (missed)
