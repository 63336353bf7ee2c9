import { describe, expect, test } from 'vitest'
import type { EventOf } from '../../engine/index.ts'
import { SerialOrder } from './main-health.ts'

describe('the serial order', () => {
  const orderAfter = (...events: Parameters<SerialOrder['onEvent']>[0][]): SerialOrder => {
    const order = new SerialOrder()
    for (const event of events) order.onEvent(event)
    return order
  }

  test('is the order of the start, and within a batch that of its members', () => {
    const order = orderAfter(placed([1, 2]), placed([3]))
    expect([order.isFirst(1, 2), order.isFirst(2, 1), order.isFirst(2, 3)]).toEqual([
      true,
      false,
      true,
    ])
  })

  // S-57
  test('has the survivors of a bisection at the place of their start', () => {
    const order = orderAfter(placed([1, 2]), placed([3]), placed([2], 'survivors'))
    expect(order.isFirst(2, 3)).toBe(true)
  })

  test('has an urgent one ahead of all that had not merged when it started', () => {
    const order = orderAfter(placed([1]), placed([2]), merged(1), placed([3], 'urgent'))
    expect([order.isFirst(3, 2), order.isFirst(2, 3), order.isFirst(3, 1)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

function placed(
  members: readonly number[],
  cause: EventOf<'groupPlaced'>['cause'] = 'formed',
): EventOf<'groupPlaced'> {
  return { type: 'groupPlaced', group: 1, members, cause, index: 0, bisection: null }
}

function merged(number: number): EventOf<'pullRequestMoved'> {
  return {
    type: 'pullRequestMoved',
    number,
    from: 'TESTS_PASSED',
    to: 'MERGED',
    reason: 'MERGE_GRAPH_MERGE',
    testRun: null,
  }
}
