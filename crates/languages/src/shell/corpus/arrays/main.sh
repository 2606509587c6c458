value() { echo v; }
all=($(value) "$(value)" plain) # calls :value
all+=([5]=$(value)) # calls :value
all[$(value; echo 0)]=1 2>/dev/null # calls :value
echo "${all[@]}"
