pick() { echo "$1"; }
select x in a b; do pick "$x"; break; done <<< 1 # calls :pick
