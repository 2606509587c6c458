from __future__ import annotations
from .a.b import c as d, e
import os.path as p, sys
__all__ = ["f", *rest]
@decorator(x=1)
class A(B, Generic[T], metaclass=M):
    """Doc."""
    x: int = field(default=lambda self, *a, **k: a[0])
    @property
    def v(self) -> dict[str, "A"]: return {k: v for k, v in self.items() if k(v)}
    async def m(self, a, /, b: int = g(), *args: T, c, **kw) -> None:
        global z; z += 1
        async with open(a) as (f, h), other(): await f.read(f"{a!r:>{b}} {g(c)}")
        try: del self.x[0].y
        except (E, F) as e: raise X(e) from e
        finally: yield from (i async for i in a)
match point:
    case Point(x=0, y=[a, *_]) | {"k": v, **r} if (n := a): print(n)
    case _: pass
def gen[T: int](x: T) -> T: nonlocal_ = x if x else not x; return nonlocal_
type Alias[T] = list[T]
