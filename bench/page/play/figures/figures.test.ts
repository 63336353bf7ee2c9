import { expect, test } from 'vitest'
import { runScenario } from '../../../../sim/judge/run-scenario.ts'
import { figuresOfEngine } from '../../../queues/figures.ts'
import type { OtherQueue } from '../worker/protocol.ts'
import { changeOf, furtherFigures, mainFigures, textOf, type Figure, barsOf } from './figures.ts'

const cost: Figure = { name: 'cost', of: () => null, text: String, isLessBetter: true }
const fact: Figure = { ...cost, isLessBetter: false }

test.each([
  [50, 100, '50 % less', 'good'],
  [130, 100, '30 % more', 'bad'],
  [99, 100, 'about the same', null],
  [100, 100, 'the same', null],
  [320, 100, '3 times as much', 'bad'],
  [4, 0, 'more', 'bad'],
  [0, 4, '100 % less', 'good'],
] as const)('a cost of %d instead of %d is %s', (value, today, text, tone) => {
  expect(changeOf(cost, value, today)).toEqual({ text, tone })
})

test('given a fact, more of it is neither good nor bad', () => {
  expect(changeOf(fact, 5, 4)).toEqual({ text: '25 % more', tone: null })
})

test('given a run of two, its figures are told in words', () => {
  const pullRequests = [{ number: 1 }, { number: 2, breaks: true }]
  const { result } = runScenario({ name: 'two', suite: { minutes: 20 }, pullRequests })
  const told = [...mainFigures, ...furtherFigures].map((each) => [
    each.name,
    textOf(each, result.figures),
  ])
  expect(Object.fromEntries(told)).toMatchObject({
    'half land within': '20 min',
    'CI time per merge': '40 min',
    'healthy ones evicted': '0',
    merged: '1',
    failed: '1',
    'test runs per merge': '2.00',
    'most runs at once': '2',
  })
})

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
