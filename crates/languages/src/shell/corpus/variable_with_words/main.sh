f() { echo "$@"; }
command_="f a b"
$command_ c # calls :f
