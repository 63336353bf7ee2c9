/** What people are told about one pull request. */

import { expect, test } from 'vitest'
import { estimateIn, type Forecast, calibrated } from './estimate.ts'
import fc from 'fast-check'

const running = { state: 'RUNNING' } as const
const inLine = { number: 7, state: 'TESTING', home: { in: 'group', group: 1 } } as const
const waiting = { number: 7, state: 'PENDING', home: { in: 'order' } } as const

function told(forecast: Forecast) {
  return { madeAt: Date.parse('2026-03-02T12:00:20Z'), byNumber: new Map([[7, forecast]]) }
}

const soon = told({ low: 10, median: 20, high: 45, lands: 0.94 })
const endless = told({ low: 10, median: 20, high: Infinity, lands: 1 })

test('instants are told to the minute, and the chance to land in tenths', () => {
  expect(estimateIn(running, inLine, soon)).toEqual({
    kind: 'range',
    from: '2026-03-02T12:10:00.000Z',
    median: '2026-03-02T12:20:00.000Z',
    to: '2026-03-02T12:45:00.000Z',
    lands: 0.9,
  })
})

test.each([
  ['fewer than 20 test runs', running, inLine, 'too few runs'],
  ['too many pull requests', running, inLine, 'too long'],
  ['the queue is PAUSED', { state: 'PAUSED' }, waiting, soon],
  ['the queue is DRAINING', { state: 'DRAINING' }, waiting, soon],
  ['the queue is PAUSED', { state: 'PAUSED' }, inLine, endless],
  ['more than a day', { state: 'DRAINING' }, inLine, endless],
  ['more than a day', running, inLine, endless],
] as const)('says why nobody can know: %s', (words, queue, pullRequest, forecasts) => {
  const estimate = estimateIn(queue, pullRequest, forecasts)
  expect(estimate).toMatchObject({ kind: 'unknown', why: expect.stringContaining(words) })
})

test('says nothing about one that is not ready, has left, or is too far behind', () => {
  const notReady = { number: 7, state: 'NOT_READY', home: { in: 'order' } } as const
  const left = { number: 7, state: 'MERGED', home: { in: 'nowhere' } } as const
  expect(estimateIn(running, notReady, soon)).toBeNull()
  expect(estimateIn(running, left, soon)).toBeNull()
  expect(estimateIn(running, { ...waiting, number: 900 }, soon)).toBeNull()
})

const minutes = fc.double({ min: 0, max: 10_000, noNaN: true })
const range = fc.array(minutes, { minLength: 3, maxLength: 3 }).map((values) => {
  const [low = 0, median = 0, high = 0] = values.toSorted((a, b) => a - b)
  return { low, median, high }
})

test('a calibrated range is in order, and never before now', () => {
  fc.assert(
    fc.property(range, (each) => {
      const { low, median, high } = calibrated(each, { low: -1.15, median: -0.08, high: 1 })
      expect(low).toBeGreaterThanOrEqual(0)
      expect(median).toBeGreaterThanOrEqual(low)
      expect(high).toBeGreaterThanOrEqual(median)
    }),
  )
})
