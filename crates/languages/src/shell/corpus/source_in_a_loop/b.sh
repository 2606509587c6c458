b() { echo b; }
