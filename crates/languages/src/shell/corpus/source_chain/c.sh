last() { echo last; }
