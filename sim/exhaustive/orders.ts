/** Every order in which a few pull requests can be submitted and tested. */

/** A step of an order: the pull request of this number comes, or its first result does. */
export type OrderStep = { readonly kind: 'submission' | 'result'; readonly number: number }

/**
 * Every interleaving of `count` submissions with a result for each. Numbers go by submission, so
 * that orders which differ in nothing but names are one.
 */
export function interleavings(count: number): OrderStep[][] {
  return stepsFrom({ submitted: 0, open: [] }, count)
}

/** Everybody comes first; then the results, in every order. */
export function resultOrders(count: number): OrderStep[][] {
  return interleavings(count).filter((order) =>
    order.slice(0, count).every(({ kind }) => kind === 'submission'),
  )
}

type Reached = { readonly submitted: number; readonly open: readonly number[] }

function stepsFrom({ submitted, open }: Reached, count: number): OrderStep[][] {
  if (submitted === count && open.length === 0) return [[]]
  const number = submitted + 1
  const comes: OrderStep = { kind: 'submission', number }
  const afterComing =
    submitted < count
      ? stepsFrom({ submitted: number, open: [...open, number] }, count).map((rest) => [
          comes,
          ...rest,
        ])
      : []
  const afterResults = open.flatMap((each) => {
    const left = open.filter((other) => other !== each)
    const result: OrderStep = { kind: 'result', number: each }
    return stepsFrom({ submitted, open: left }, count).map((rest) => [result, ...rest])
  })
  return [...afterComing, ...afterResults]
}
