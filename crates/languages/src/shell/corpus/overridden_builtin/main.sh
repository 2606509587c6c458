cd() {
  builtin cd "$@" && visited # calls :visited
}
visited() { echo "$PWD"; } # calls :echo (wrong)
cd / # calls :cd
builtin cd /
echo() { printf '%s\n' "$*"; }
echo a # calls :echo
