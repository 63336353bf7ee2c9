/** A search by halves. */

/** The first index from `low` on, below `high`, for which `is` is true, as it is for all behind it; `high` if for none. */
export function firstIndex(low: number, high: number, is: (index: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (is(middle)) to = middle
    else from = middle + 1
  }
  return from
}
