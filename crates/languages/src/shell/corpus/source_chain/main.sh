. ./a.sh
last # calls c.sh:last
