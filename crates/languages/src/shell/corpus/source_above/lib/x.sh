x() { echo x; }
