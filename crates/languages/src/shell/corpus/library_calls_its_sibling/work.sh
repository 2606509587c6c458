work() { log a; } # calls log.sh:log
