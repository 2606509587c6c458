common() { echo common; }
