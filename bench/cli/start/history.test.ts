/** The checker of histories itself: each kind of fault is seen, and an honest history is not accused. */

import { expect, test } from 'vitest'
import type { Call, Found, State } from './testing/history/call.ts'
import { faultsIn } from './testing/history/faults-in.ts'

const about = (number: number, sentMs: number, answeredMs: number | null) => ({
  ...{ client: 1, server: 1, repository: 'shop', number, sentMs, answeredMs },
})
const change = (
  number: number,
  leaves: State,
  sentMs: number,
  answeredMs: number | null,
): Call => ({
  ...{ ...about(number, sentMs, answeredMs), kind: 'change', leaves },
})
const read = (number: number, shown: State | null, sentMs: number, answeredMs: number): Call => ({
  ...{ ...about(number, sentMs, answeredMs), kind: 'read', shown },
})
const found = (number: number, state: State): Found => ({ repository: 'shop', number, state })

test('given a story of two pull requests in which all is well, finds nothing', () => {
  const calls = [
    change(1, 'WAITING', 0, 10),
    change(2, 'WAITING', 20, 30),
    read(1, 'WAITING', 31, 40),
    change(1, 'MERGED', 50, 60),
    read(1, 'MERGED', 61, 70),
  ]
  expect(faultsIn(calls, [found(1, 'MERGED'), found(2, 'WAITING')])).toEqual([])
})

test('given a change that nobody answered, either end is well', () => {
  const calls = [change(1, 'WAITING', 0, null)]
  expect(faultsIn(calls, [])).toEqual([])
  expect(faultsIn(calls, [found(1, 'WAITING')])).toEqual([])
})

test('given calls that overlap, a read may show either state', () => {
  const calls = [
    change(1, 'WAITING', 0, 10),
    change(1, 'MERGED', 20, 40),
    read(1, 'WAITING', 30, 50),
  ]
  expect(faultsIn(calls, [found(1, 'MERGED')])).toEqual([])
})

test.each<[string, Call[], Found[], string]>([
  [
    'an acknowledged submission that is gone',
    [change(1, 'WAITING', 0, 10)],
    [],
    'shop 1: change WAITING was acknowledged by server 1 at 0 ms, at the end null',
  ],
  [
    'an acknowledged verdict that is undone',
    [change(1, 'WAITING', 0, 10), change(1, 'FAILED', 20, 30)],
    [found(1, 'WAITING')],
    'shop 1: change FAILED was acknowledged by server 1 at 20 ms, at the end WAITING',
  ],
  [
    'a read that misses what was acknowledged before',
    [change(1, 'WAITING', 0, 10), read(1, null, 11, 20)],
    [found(1, 'WAITING')],
    'shop 1: server 1 at 11 ms showed null after server 1 at 0 ms said change WAITING',
  ],
  [
    'a read that misses what another read has shown',
    [change(1, 'WAITING', 0, null), read(1, 'WAITING', 5, 10), read(1, null, 11, 20)],
    [],
    'shop 1: server 1 at 11 ms showed null after server 1 at 5 ms said read WAITING',
  ],
  [
    'a pull request that nobody submitted',
    [],
    [found(3, 'WAITING')],
    'shop 3: nobody submitted it',
  ],
  [
    'a later submission before an earlier one',
    [change(1, 'WAITING', 0, 10), change(2, 'WAITING', 20, 30)],
    [found(2, 'WAITING'), found(1, 'WAITING')],
    'shop 2 is before shop 1, which was acknowledged before it was sent',
  ],
])('sees %s', (_, calls, end, fault) => {
  expect(faultsIn(calls, end)).toContain(fault)
})
