do_start() { echo start; }
do_stop() { echo stop; }
action=start
"do_$action" # calls :do_start (missed)
do_${action} # calls :do_start (missed)
"${action/art/op}" 2>/dev/null
do_stop # calls :do_stop
