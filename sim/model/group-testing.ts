/** Chapter "Bisection": the optimal nested group test of Sobel and Groll (E-75). */

/** E-151: rates from 0.001 below 0.95, each 1.02 times the one before. */
function rounded(rate: number): number {
  let step = 0.001
  while (step < rate && step * 1.02 < 0.95) step *= 1.02
  return step
}

const answers = new Map<string, number>()

/**
 * How many of `size` members to test next, when each fails with this rate. `areFailing`: it is
 * known that they fail together.
 */
export function nextTest(rate: number, size: number, areFailing: boolean): number {
  const bad = rounded(rate)
  const key = `${bad} ${size} ${areFailing}`
  const answer = answers.get(key) ?? best(bad, size, areFailing)
  answers.set(key, answer)
  return answer
}

/** The number of members to test first that needs the fewest runs; the smallest of equal ones. */
function best(bad: number, size: number, areFailing: boolean): number {
  const search = memo((count) => cheapest(searchCosts(count)).cost)
  const settle = memo((count) => cheapest(settleCosts(count)).cost)
  const good = (count: number): number => (1 - bad) ** count

  /** Expected runs to find the first bad one of `count`, of which one is bad. */
  function searchCosts(count: number): number[] {
    return numbersTo(count - 1).map((first) => {
      const isIn = (1 - good(first)) / (1 - good(count))
      return 1 + isIn * search(first) + (1 - isIn) * search(count - first)
    })
  }

  /** Expected runs to settle `count` members about which nothing is known. */
  function settleCosts(count: number): number[] {
    return numbersTo(count).map((first) => {
      const afterPass = good(first) * settle(count - first)
      const afterFailure = numbersTo(first).map(
        (culprit) => good(culprit - 1) * bad * (search(first) + settle(count - culprit)),
      )
      return 1 + afterPass + afterFailure.reduce((sum, each) => sum + each, 0)
    })
  }

  const costs = areFailing ? searchCosts(size) : settleCosts(size)
  return cheapest(costs).first
}

function cheapest(costs: readonly number[]): { first: number; cost: number } {
  const cost = Math.min(...costs)
  // Sums in another order differ in the last digits.
  const first = costs.findIndex((each) => each < cost + 1e-12) + 1
  return costs.length === 0 ? { first: 1, cost: 0 } : { first, cost }
}

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)

function memo(compute: (count: number) => number): (count: number) => number {
  const known = new Map<number, number>()
  return (count) => {
    const value = known.get(count) ?? compute(count)
    known.set(count, value)
    return value
  }
}
