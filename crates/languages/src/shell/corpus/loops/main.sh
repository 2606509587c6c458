items() { echo a b; }
show() { echo "$1"; }
for item in $(items); do # calls :items
  show "$item" # calls :show
done
for ((i = $(limit_=1; echo $limit_); i < 2; i++)); do
  show "$i" # calls :show
done
for item; do show "$item"; done # calls :show
show end # calls :show
