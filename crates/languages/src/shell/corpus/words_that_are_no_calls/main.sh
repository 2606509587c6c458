f() { echo f; }
echo f "f" 'f'
x=f
printf '%s\n' "$x f"
[ "$x" = f ] && echo same
: f
f=1
# f
echo "$f" | grep -q f
