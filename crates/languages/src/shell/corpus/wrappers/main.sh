ls() { command ls "$@" >/dev/null; }
f() { echo f; }
ls / # calls :ls
command ls / >/dev/null
env ls / >/dev/null
command f 2>/dev/null
nohup f >/dev/null 2>&1
echo a | xargs f 2>/dev/null
echo f
