// The slope of a power law through points: least squares of the logarithms.

/** `points`: `[[x, y], …]`, at least two different x, all above 0. */
export function exponent(points) {
  const logs = points.map((point) => point.map((n) => Math.log(n)));
  const mean = (axis) => logs.reduce((sum, p) => sum + p[axis], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const above = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return above / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
