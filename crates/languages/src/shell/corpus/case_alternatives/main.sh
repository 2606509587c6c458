# with: a
# with: b
# with: c
case "$1" in
  a) open() { echo a; } ;;
  b) open() { echo b; } ;;
  *)
    open() { echo other; }
    ;;
esac
open x # calls :open@5, :open@6, :open@8
