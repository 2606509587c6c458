. ./lib.sh
source lib/more.sh
helper # calls lib.sh:helper
more # calls lib/more.sh:more
