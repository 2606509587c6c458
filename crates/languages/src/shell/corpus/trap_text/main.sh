cleanup() { echo clean; }
note() { echo "note $1"; }
trap 'note 1; cleanup "a;b"' EXIT # calls :note, :cleanup
trap "note $$ && cleanup" USR1 # calls :note, :cleanup (missed)
kill -USR1 $$
