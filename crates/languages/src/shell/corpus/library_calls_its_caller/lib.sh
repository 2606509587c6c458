run_hook() { hook; } # calls main.sh:hook
