f() { echo f; }
handler=$1
handler=${handler:-f}
"$handler" # calls :f (missed)
