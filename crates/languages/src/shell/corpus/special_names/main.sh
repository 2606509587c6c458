ns::run() { a-b; } # calls :a-b
a-b() { a.b; } # calls :a.b
a.b() { _c; } # calls :_c
_c() { echo c; }
ns::run # calls :ns::run
