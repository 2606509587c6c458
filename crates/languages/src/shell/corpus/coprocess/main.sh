serve() { while read -r line; do answer "$line"; done; } # calls :answer
answer() { echo "got $1"; }
coproc serve # calls :serve
echo a >&"${COPROC[1]}"
read -r reply <&"${COPROC[0]}"
eval "exec ${COPROC[1]}>&-"
wait "$COPROC_PID"
echo "$reply"
