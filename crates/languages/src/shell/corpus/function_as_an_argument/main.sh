f() { echo f; }
apply() { "$@"; } # calls :f (missed)
apply f # calls :apply
