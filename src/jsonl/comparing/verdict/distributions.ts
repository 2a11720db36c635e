/** Lanczos coefficients for g = 7 (Godfrey), accurate to 15 digits. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Returns ln Γ(x) for x > 0 (Lanczos 1964). Avoids factorials, so 100,000 pairs don't overflow. */
export function logGamma(x: number): number {
  if (x < 0.5) {
    return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  }
  const shifted = x - 1;
  const base = shifted + 7.5;
  const sum = lanczos.reduce((total, coefficient, at) => (at === 0 ? coefficient : total + coefficient / (shifted + at)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Returns P(Z <= x) of the standard normal distribution (Marsaglia 2004, with a continued fraction in the tails). */
export function normalCdf(x: number): number {
  if (x > 0) {
    return 1 - normalCdf(-x);
  }
  const density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
  if (x < -3) {
    let fraction = -x;
    for (let level = 80; level > 0; level--) {
      fraction = -x + level / fraction;
    }
    return density / fraction;
  }
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + density * sum;
}

/** Returns the x with P(Z <= x) = `probability`, between 0 and 1 (exclusive). */
export function normalQuantile(probability: number): number {
  return solve(normalCdf, probability, 40);
}

/** Returns P(T <= t) of Student's t with `freedom` degrees of freedom. */
export function studentCdf(t: number, freedom: number): number {
  const tail = 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  return t > 0 ? 1 - tail : tail;
}

/** Returns the t with P(T <= t) = `probability`, at most one million in magnitude. */
export function studentQuantile(probability: number, freedom: number): number {
  return solve(t => studentCdf(t, freedom), probability, 1e6);
}

/** Returns the x from -`bound` to `bound` at which an increasing function has the given value. */
function solve(rising: (x: number) => number, value: number, bound: number): number {
  let low = -bound;
  let high = bound;
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) {
      break;
    }
    if (rising(middle) < value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2;
}

/** Returns the regularized incomplete beta function I_x(a, b), by the continued fraction of DLMF 8.17.22 and Lentz's method. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) {
    return x <= 0 ? 0 : 1;
  }
  if (x > (a + 1) / (a + b + 2)) {
    return 1 - incompleteBeta(1 - x, b, a);
  }
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const least = 1e-300;
  const away = (value: number) => (Math.abs(value) < least ? least : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) {
      break;
    }
  }
  return front * fraction;
}
