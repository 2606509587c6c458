f() { :; }
"f" # calls :f
'f' # calls :f
echo x; \f # calls :f
