/** Student's t distribution, for confidence intervals at any level. */

/**
 * Returns the quantile of Student's t distribution: the `t` below which a share `p` of the
 * distribution lies. `p` is between 0 and 1, both excluded.
 */
export function studentQuantile(p: number, degrees: number): number {
  if (p < 0.5) return -studentQuantile(1 - p, degrees)
  let [low, high] = [0, 1]
  while (studentShare(high, degrees) < p) [low, high] = [high, 2 * high]
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (studentShare(middle, degrees) < p) low = middle
    else high = middle
  }
  return high
}

/** Returns the distribution function of Student's t: the share of the distribution below `t`. */
export function studentShare(t: number, degrees: number): number {
  if (t < 0) return 1 - studentShare(-t, degrees)
  const x = degrees / (degrees + t * t)
  return 1 - incompleteBeta(x, degrees / 2, 1 / 2) / 2
}

/** The regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The continued fraction converges fast on this side only. The other side follows by symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const factor = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x),
  )
  return (factor / a) * betaFraction(x, a, b)
}

const mostTerms = 500
const tiny = 1e-300
const close = 1e-15

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / safe(1 + even * d)
    c = safe(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / safe(1 + odd * d)
    c = safe(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < close) break
  }
  return fraction
}

/** Lanczos's coefficients for g = 7. */
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const sum = lanczos.reduce(
    (soFar, coefficient, index) => soFar + coefficient / (x + index),
    0.9999999999998099,
  )
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}
