name() { echo n; }
wrap() { echo "<$1>"; }
a=$(name) # calls :name
b="$(wrap "$(name)")" # calls :wrap, :name
c=`wrap \`name\`` # calls :wrap, :name (missed)
echo "$a $b $c ${d:-$(name)}" # calls :name
