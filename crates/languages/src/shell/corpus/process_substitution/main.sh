left() { echo l; }
right() { echo r; }
join_() { cat "$@"; }
join_ <(left) <(right) # calls :join_, :left, :right
left > >(join_) # calls :left, :join_
sleep 0.1
