import { expect, test } from 'vitest'
import { figuresOfEngine } from '../../../queues/figures.ts'
import { runScenario } from '../../../../sim/judge/run-scenario.ts'
import type { OtherQueue } from '../worker/protocol.ts'
import { barsOf } from './figures.ts'

/** A queue in which the only pull request waits for its test run of so many minutes. */
function queueOf(name: string, minutes: number): OtherQueue {
  const { result } = runScenario({ name, suite: { minutes }, pullRequests: [{ number: 1 }] })
  return { name, about: '', isReference: false, of: 3, figures: figuresOfEngine(result.figures) }
}

const sharesOf = (...others: OtherQueue[]) =>
  barsOf(others, 'time to land p50').map(({ share, isCut }) => [Math.round(share * 100), isCut])

test('given queues of like speed, the slowest fills the scale', () => {
  expect(sharesOf(queueOf('Mergeyard', 20), queueOf('bors-like', 40))).toEqual([
    [50, false],
    [100, false],
  ])
})

test('given one that takes fifty times as long, the others can still be told apart', () => {
  const slow = queueOf('one at a time', 100)
  expect(sharesOf(slow, queueOf('Mergeyard', 2), queueOf('bors-like', 4))).toEqual([
    [100, true],
    [8, false],
    [17, false],
  ])
})
