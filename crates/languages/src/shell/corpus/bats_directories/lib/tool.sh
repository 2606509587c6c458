tool() { echo tool; }
