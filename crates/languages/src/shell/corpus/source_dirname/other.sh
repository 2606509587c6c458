other() { echo other; }
