/** Figures that others published, beside the same figures of this project. */

/**
 * How near the two must be. `equal`: the same input, the same rules, no chance. `by chance`: the
 * same rules, other random draws. `other rules`: the rules or the input differ, so the figures may
 * differ too; the reason says why.
 */
type Expected = 'equal' | 'by chance' | 'other rules'

export type PublishedFigure = {
  /** What is compared, with its settings. */
  readonly name: string
  readonly unit: string
  readonly published: number
  /** Half of the last digit that the source prints; 0 for a formula. */
  readonly rounding: number
  readonly expected: Expected
  /** The mean over our seeds with its interval, or over histories with the least and the most. */
  readonly here: { readonly mean: number; readonly low: number; readonly high: number }
  readonly agreement: Agreement
  /** Why the two are alike, or why they differ. */
  readonly because: string
}

type Agreement = 'equal' | 'within the interval' | 'differs' | 'not asked'

export type Source = {
  readonly title: string
  /** Where it was published, and in which version. */
  readonly origin: string
  readonly figures: readonly PublishedFigure[]
  /** What of the source is not compared, and why. */
  readonly leftOut: readonly string[]
}
