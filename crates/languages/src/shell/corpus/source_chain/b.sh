. ./c.sh
middle() { last; } # calls c.sh:last
