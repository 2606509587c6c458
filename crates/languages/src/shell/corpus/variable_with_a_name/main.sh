f() { echo f; }
command_=f
$command_ # calls :f
"$command_" a # calls :f
"${command_}" # calls :f
g() { $command_; } # calls :f
g # calls :g
