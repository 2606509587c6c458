f() { echo outer; }
(
  f() { echo inner; }
  f # calls :f@3, :f@1 (wrong)
)
f # calls :f@1, :f@3 (wrong)
