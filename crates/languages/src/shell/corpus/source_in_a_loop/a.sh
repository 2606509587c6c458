a() { echo a; }
