no() { return 1; }
yes_() { return 0; }
! no # calls :no
if ! no; then yes_; fi # calls :no, :yes_
! no | yes_ # calls :no, :yes_
