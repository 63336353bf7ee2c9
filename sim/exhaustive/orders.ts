/** Every order in which a few pull requests can be submitted and tested. */

/** A step of an order: the submission of a pull request, or its first result. */
export type OrderStep = { readonly kind: 'submission' | 'result'; readonly number: number }

/**
 * Returns every interleaving of `count` submissions and a result for each. Numbers follow the order
 * of submission, so that no two orders differ in numbers alone.
 */
export function interleavings(count: number): OrderStep[][] {
  return stepsFrom({ submitted: 0, open: [] }, count)
}

/** Returns all orders in which every submission comes before the first result. */
export function resultOrders(count: number): OrderStep[][] {
  return interleavings(count).filter((order) =>
    order.slice(0, count).every(({ kind }) => kind === 'submission'),
  )
}

type OrderProgress = { readonly submitted: number; readonly open: readonly number[] }

function stepsFrom({ submitted, open }: OrderProgress, count: number): OrderStep[][] {
  if (submitted === count && open.length === 0) return [[]]
  const number = submitted + 1
  const submission: OrderStep = { kind: 'submission', number }
  const afterSubmission =
    submitted < count
      ? stepsFrom({ submitted: number, open: [...open, number] }, count).map((rest) => [
          submission,
          ...rest,
        ])
      : []
  const afterResults = open.flatMap((each) => {
    const left = open.filter((other) => other !== each)
    const result: OrderStep = { kind: 'result', number: each }
    return stepsFrom({ submitted, open: left }, count).map((rest) => [result, ...rest])
  })
  return [...afterSubmission, ...afterResults]
}
