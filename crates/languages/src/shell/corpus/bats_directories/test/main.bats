setup() {
  load 'helpers/common'
  source "$BATS_TEST_DIRNAME/../lib/tool.sh"
}

@test "both" {
  common # calls test/helpers/common.bash:common
  tool # calls lib/tool.sh:tool
}
