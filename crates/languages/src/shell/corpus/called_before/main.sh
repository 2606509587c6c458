late 2>/dev/null
late() { echo late; }
late # calls :late
