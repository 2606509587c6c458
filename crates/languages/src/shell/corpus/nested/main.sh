outer() {
  inner() { echo inner; }
  inner # calls :outer.inner
}
outer # calls :outer
inner # calls :outer.inner
