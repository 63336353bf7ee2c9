/** Chapter "Bisection": the optimal nested group test of Sobel and Groll (E-75). */

/** E-151: rates from 0.001 below 0.95, each 1.02 times the one before. */
function rounded(rate: number): number {
  let step = 0.001
  while (step < rate && step * 1.02 < 0.95) step *= 1.02
  return step
}

/** How many of `size` to test next, when each fails with this rate. `areFailing`: as a whole. */
export function nextTest(rate: number, size: number, areFailing: boolean): number {
  const bad = rounded(rate)
  const good = (count: number): number => (1 - bad) ** count
  // Expected runs to find the first bad one of so many, if there is one, and to settle so many.
  const [search, settle] = [[0], [0]]
  let costs: number[] = []
  for (let count = 1; count <= size; count++) {
    const searching = numbersTo(count - 1).map((first) => {
      const isIn = (1 - good(first)) / (1 - good(count))
      return 1 + isIn * (search[first] ?? 0) + (1 - isIn) * (search[count - first] ?? 0)
    })
    search.push(count === 1 ? 0 : Math.min(...searching))
    const settling = numbersTo(count).map((first) => {
      const afterFailure = numbersTo(first).reduce((sum, culprit) => {
        const runs = (search[first] ?? 0) + (settle[count - culprit] ?? 0)
        return sum + good(culprit - 1) * bad * runs
      }, 0)
      return 1 + good(first) * (settle[count - first] ?? 0) + afterFailure
    })
    settle.push(Math.min(...settling))
    costs = areFailing ? searching : settling
  }
  // The smallest of equal ones: sums in another order differ in the last digits.
  return costs.findIndex((each) => each < Math.min(...costs) + 1e-12) + 1
}

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)
