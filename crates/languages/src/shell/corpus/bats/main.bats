load helper

setup() {
  prepare # calls :prepare
}

prepare() { READY=1; }

@test "calls by run" {
  run common # calls helper.bash:common
  [ "$output" = common ]
  run -1 failing # calls helper.bash:failing
  run --separate-stderr common # calls helper.bash:common
  [ "$(common)" = common ] # calls helper.bash:common
}

@test "mocks of a test" {
  curl() { echo mock; }
  run curl x # calls :mocks of a test.curl
  fetch # calls :fetch
}

@test "another process" {
  fetch # calls :fetch
}

fetch() {
  curl y || true # calls :mocks of a test.curl (missed)
}
