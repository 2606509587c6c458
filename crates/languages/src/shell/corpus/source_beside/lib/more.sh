more() { helper; } # calls lib.sh:helper
