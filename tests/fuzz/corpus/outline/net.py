class Net(Module):
  __parameters__ = ["w", ]
  def forward(self: __torch__.Net,
    x: Tensor,
    n: int=1) -> Tuple[Tensor, Tensor]:
    a = self.a
    w = self.w
    _0 = getattr(self, "0")
    y, z, = (self).pair((_0).pair(x, ), )
    if torch.eq(n, 1):
      b = torch.linear(y, w, None)
    else:
      b = ops.nolib.mix([y, z], alpha=x)
    for i in range(n):
      b = __torch__.twice(b, )
    while bool(b):
      self.kept = b
    _1 = ops.pipescope.boundary(b, "here")
    with x:
      c = (_1)[0]
    return (c, {"k": b, })
  def pair(self: __torch__.Net, x: Tensor) -> Tuple[Tensor, Tensor]:
    return (torch.sin(x), x + -1)
def twice(x: Tensor) -> Tensor:
  return annotate(Tensor, torch.add(x, x, alpha=2))
