common() { echo common; }
failing() { return 1; }
