kind() { echo b; }
mark() { echo b; }
act() { echo "$1"; }
case "$(kind)" in # calls :kind
  a) echo no ;;
  "$(mark)") act 1 ;;& # calls :mark, :act
  [b-c]) act 2 ;& # calls :act
  *) act 3 ;; # calls :act
esac
