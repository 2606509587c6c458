value() { echo v; }
echo "${a:-$(value)}" # calls :value
echo "${b:=$(value)}" # calls :value
: "${c=$(value)}" # calls :value
echo "${b/v/$(value)}" # calls :value
