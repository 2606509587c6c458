package a.b; import static x.Y.*; import java.util.List; import c.*;
/** Doc. */
@Ann(value = {1, f()}, x = @B)
public sealed abstract class C<T extends Comparable<? super T> & I> extends D<T>.E implements I, J permits K {
  static { init(); } { this.x = new int[][] {{1}, {2}}; }
  private final List<@N T>[] a = new ArrayList<>(), b;
  <U> C(final U u, int... r) throws X { super(u); this.<U>m(u).n(r[0]++).o; }
  @Override public <R> R m(Function<? super T, ? extends R> f) { try (var r = open(); other) { return f.apply((T) r::get); } catch (A | B e) { throw e; } finally { synchronized (this) { assert x > 1 : "m"; } } }
  record P(int x, T... y) { P { check(x); } static int s = 1; }
  enum E { A(1) { void f() {} }, B; abstract void f(); }
  @interface An { int v() default 1; }
  Object o = switch (p) { case P(int x, var y) when x > 0 -> y; case null, default -> { yield new Object() { int z = C.this.x; }; } };
  Runnable l = () -> { for (int i = 0, j; i < 2; i++, j--) for (var q : list) lab: do { continue lab; } while (q instanceof String s && s.isEmpty()); };
}
