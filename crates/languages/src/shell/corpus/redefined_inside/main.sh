# with: 0
# with: 1
log() { echo plain; }
verbose() {
  log() { echo "verbose"; }
}
work() { log; } # calls :log, :verbose.log
if [ "$1" = 1 ]; then verbose; fi # calls :verbose
work # calls :work
