/**
 * Small cases that are larger than those of `--exhaustive`: four or five pull requests with random
 * cancels, in a random order of submissions and results. The seed determines the order, which runs
 * with every setting of the queue.
 */

import { casesOf } from '../exhaustive/cases.ts'
import { kindsOf, plain, type Cancel } from '../exhaustive/scopes.ts'
import type { OrderStep } from '../exhaustive/orders.ts'
import { drawsOf } from '../random/draw.ts'
import type { Scenario } from '../scenario/scenario.ts'

const counts = [4, 5] as const

/** `never` is listed twice, so half of the pull requests are never cancelled. */
const cancels: readonly Cancel[] = ['never', 'never', 'before', 'after']

type Choose = <Option>(key: string, options: readonly Option[]) => Option

/** Generates the cases of this seed: the same order with each setting of the queue. */
export function drawnCases(seed: number): Generator<Scenario> {
  const draw = drawsOf(seed)
  const choose: Choose = (key, options) => {
    const option = options[draw.integer('soak choice', key, options.length)]
    if (option === undefined) throw new Error(`no options for the draw "${key}"`)
    return option
  }
  const count = choose('pull requests', counts)
  const indexes = Array.from({ length: count }, (_, index) => index)
  const order = drawnOrder(count, choose)
  const block = {
    scope: { ...plain, count, orders: [order] },
    order,
    cancels: indexes.map((index) => choose(`cancel ${index}`, cancels)),
  }
  return casesOf(
    block,
    indexes.map((index) => choose(`nature ${index}`, kindsOf(index))),
  )
}

/** Draws an order. Each step submits the next pull request or gives an open one its first result. */
function drawnOrder(count: number, choose: Choose): OrderStep[] {
  const order: OrderStep[] = []
  const open: number[] = []
  for (let submitted = 0; submitted < count || open.length > 0;) {
    const results = open.map((number): OrderStep => ({ kind: 'result', number }))
    const submissions: OrderStep[] =
      submitted < count ? [{ kind: 'submission', number: submitted + 1 }] : []
    const step = choose(`step ${order.length}`, [...submissions, ...results])
    order.push(step)
    if (step.kind === 'submission') open.push(++submitted)
    else open.splice(open.indexOf(step.number), 1)
  }
  return order
}
