for part in a b; do
  . "./$part.sh"
done
a # calls a.sh:a (missed)
b # calls b.sh:b (missed)
