for part in a b; do
  . "./$part.sh"
done
a # calls a.sh:a
b # calls b.sh:b
