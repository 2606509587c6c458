log() { echo "lib $1"; }
work() { log b; } # calls :log (wrong), main.sh:log (missed)
