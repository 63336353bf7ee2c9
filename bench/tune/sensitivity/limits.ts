/** Over which values of an assumption the advice stays. */

/** How far the advised setting leads at one value: above zero it stays advised. */
export type Lead = {
  readonly mean: number
  /** The lower end of the interval of the mean. */
  readonly surely: number
}

/** A value that was tried, with the lead over each other setting, always in the same order. */
export type TriedValue = { readonly value: number; readonly leads: readonly Lead[] }

/** Where the advice ends: between two values that were tried, and which other setting leads there. */
export type Limit = {
  /** Between the two, by a straight line in the logarithm of the value. */
  readonly at: number
  readonly inside: number
  readonly outside: number
  /** The position of the other setting. */
  readonly over: number
}

/** Which number of a lead counts. */
export type Measure = (lead: Lead, over: number) => number

/** The advice is still the best on average. */
export const onAverage: Measure = ({ mean }) => mean

/** The lead over the first other setting is sure, and none of the others leads on average. */
export const surely: Measure = (lead, over) => (over === 0 ? lead.surely : lead.mean)

/**
 * Returns the first value, from today's on, at which the lead over any other setting is lost; null
 * if none is lost at any value tried. The values are in order from today's outwards.
 */
export function limitOf(outwards: readonly TriedValue[], measure: Measure): Limit | null {
  for (const [index, { value, leads }] of outwards.entries()) {
    const before = outwards[index - 1]
    const lost = leads.flatMap((lead, over) => {
      const after = measure(lead, over)
      if (after > 0) return []
      const start = before?.leads[over]
      const from = before && start ? ([before.value, measure(start, over)] as const) : null
      return [{ over, at: from ? crossing(from, [value, after]) : value }]
    })
    const inside = before?.value ?? value
    const [nearest] = lost.toSorted((a, b) => Math.abs(a.at - inside) - Math.abs(b.at - inside))
    if (nearest) return { ...nearest, inside, outside: value }
  }
  return null
}

type Point = readonly [value: number, lead: number]

function crossing([from, start]: Point, [to, end]: Point): number {
  const drop = start - end
  // A setting that does not keep up has no lead to measure.
  const share = Number.isFinite(drop) ? start / drop : 1 / 2
  return between(from, to, share)
}

/** Returns the value at a share of the way, in the logarithm; a way from or to zero is straight. */
export function between(from: number, to: number, share: number): number {
  if (from <= 0 || to <= 0) return from + share * (to - from)
  return from * (to / from) ** share
}

/** A rate of nothing counts as this many percent, so that its distance to others can be told. */
const leastRate = 0.5

/** How far a limit is from today's value: the logarithm of how many times as much. */
export function distanceTo(limit: number, today: number, unit: string): number {
  const floor = unit.startsWith('%') ? leastRate : 0
  return Math.abs(Math.log((limit + floor) / (today + floor)))
}
