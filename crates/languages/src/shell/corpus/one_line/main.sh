f() { g; }; g() { echo g; }; f; g # calls :f, :g
if true; then f; else g; fi; for i in 1; do g; done # calls :f, :g
