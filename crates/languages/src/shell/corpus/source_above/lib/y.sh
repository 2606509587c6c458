y() { echo y; }
