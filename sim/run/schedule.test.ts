import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { Command } from '../../engine/index.ts'
import {
  commandsOf,
  simulated,
  pullRequests,
  endsOf,
  scenarioOf,
  violated,
} from '../testing/simulated.ts'
import { drawsOf } from '../random/draw.ts'
import { expand } from '../shrink/expand.ts'
import { eventKinds, VirtualClock } from './virtual-clock.ts'
import type { ScheduledEvent, EventKind, TieOrder } from './virtual-clock.ts'
import { mostSubmissions } from './resubmissions.ts'

/** A command as text: its type and the values of its fields. */
function textOf({ type, at: _at, ...fields }: Command): string {
  const words = Object.values(fields).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return [type, ...words].join(' ').replace(' ALL', ' "ALL"')
}

describe('events', () => {
  test('each kind of event becomes its command', () => {
    const { accepted } = commandsOf({
      queue: { state: 'PAUSED' },
      pullRequests: pullRequests(7),
      events: [
        { at: 1, do: 'cancel', number: 1 },
        { at: 2, do: 'push', number: 2 },
        { at: 3, do: 'close', number: 3 },
        { at: 4, do: 'convertToDraft', number: 4 },
        { at: 5, do: 'changeBase', number: 5 },
        { at: 6, do: 'manualMerge', number: 6 },
        { at: 7, do: 'setMergeable', number: 7, mergeable: false },
        { at: 8, do: 'setImpactedTargets', number: 7, targets: ['web'] },
        { at: 9, do: 'submit', number: 7, priority: 'high', noBatch: true },
        { at: 10, do: 'pushToBranch' },
        { at: 11, do: 'updateQueue', set: { concurrency: 1, state: 'DRAINING' } },
      ],
    })
    const commands = accepted.map(textOf)
    expect(commands.slice(7, 18)).toEqual([
      'cancelPullRequest 1 USER_REQUESTED',
      'cancelPullRequest 2 PR_PUSHED_TO',
      'cancelPullRequest 3 PR_CLOSED',
      'cancelPullRequest 4 PR_CONVERTED_TO_DRAFT',
      'cancelPullRequest 5 PR_BASE_BRANCH_CHANGED',
      'reportManualMerge 6',
      'reportPullRequest 7 false',
      'setImpactedTargets 7 ["web"]',
      'submitPullRequest 7 10 true',
      'reportPush',
      'updateQueue {"concurrency":1,"state":"DRAINING"}',
    ])
  })

  test('facts about a pull request come just before its submission', () => {
    const { accepted } = commandsOf({
      queue: { mode: 'single', directMergeMode: 'always' },
      pullRequests: [
        { number: 1, greenOnTip: true, targets: 'ALL' },
        { number: 2, at: 1, conflictsWith: [1], priority: 7 },
      ],
    })
    const commands = accepted.map(textOf)
    expect(commands.slice(0, 5)).toEqual([
      'reportPullRequest 1 true',
      'setImpactedTargets 1 "ALL"',
      'submitPullRequest 1',
      'reportPullRequest 2 [1]',
      'submitPullRequest 2 7',
    ])
  })
})

const scheduledAt = (at: number, kind: EventKind, name: string | number): ScheduledEvent => ({
  at,
  kind,
  name,
  commands: () => [],
})

function clockWith(events: readonly ScheduledEvent[], tieOrder: TieOrder, seed = 1): VirtualClock {
  const clock = new VirtualClock(drawsOf(seed), tieOrder)
  for (const each of events) clock.schedule(each)
  return clock
}

/** Takes all events off the clock, and returns them as text in their order. */
function takeAll(clock: VirtualClock): string[] {
  const order: string[] = []
  for (let next = clock.next(); next; next = clock.next()) {
    order.push(`${next.at} ${next.kind} ${next.name}`)
  }
  return order
}

const anyEvent = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(...eventKinds.slice(0, 4)), fc.nat(1000))
  .map(([at, kind, name]) => scheduledAt(at, kind, name))

describe('the virtual clock', () => {
  test('returns events in order of time, in whatever order they were scheduled', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent),
        fc.constantFrom<TieOrder>('submission', 'shuffled'),
        (all, tieOrder) => {
          const times = takeAll(clockWith(all, tieOrder)).map((text) => Number(text.split(' ')[0]))
          expect(times).toEqual([...times].sort((a, b) => a - b))
          expect(times.length).toBe(all.length)
        },
      ),
    )
  })

  test('at one instant people come before machines; within a kind, in the order of scheduling', () => {
    const clock = clockWith(
      [
        scheduledAt(5, 'result', 'a'),
        scheduledAt(5, 'merge', 'b'),
        scheduledAt(5, 'event', 'c'),
        scheduledAt(5, 'event', 'd'),
        scheduledAt(5, 'submission', 'e'),
      ],
      'submission',
    )
    clock.wakeAt(5)
    expect(takeAll(clock)).toEqual([
      '5 submission e',
      '5 event c',
      '5 event d',
      '5 merge b',
      '5 result a',
      '5 wake ',
    ])
  })

  test('with shuffled ties, the order at one instant depends only on the seed and on the events', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((name) => scheduledAt(5, 'result', name))
    const order = takeAll(clockWith(all, 'shuffled'))
    expect(takeAll(clockWith([...all].reverse(), 'shuffled'))).toEqual(order)
    expect(takeAll(clockWith(all, 'shuffled', 2))).not.toEqual(order)
    const without = all.filter(({ name }) => name !== 3)
    expect(takeAll(clockWith(without, 'shuffled'))).toEqual(
      order.filter((text) => text !== '5 result 3'),
    )
  })

  test('wakes up once at an instant, also if that was requested several times', () => {
    const clock = clockWith([], 'submission')
    clock.wakeAt(7)
    clock.wakeAt(7)
    clock.wakeAt(3)
    expect(takeAll(clock)).toEqual(['3 wake ', '7 wake '])
    clock.wakeAt(7)
    expect(clock.next()?.commands()).toEqual([{ type: 'wake', at: 7 }])
  })

  test('detects that only wake-ups are left', () => {
    const clock = clockWith([scheduledAt(1, 'result', 1)], 'submission')
    clock.wakeAt(2)
    expect(clock.hasOnlyWakes).toBe(false)
    clock.next()
    expect(clock.hasOnlyWakes).toBe(true)
  })
})

const resubmit = { afterMinutes: 60 }
const alone = { concurrency: 1 }

/** When each run started, in minutes. */
function startsOf({ testRuns }: ReturnType<typeof simulated>): number[] {
  return testRuns.map(({ startedAt }) => startedAt)
}

// S-242
describe('a healthy pull request that was evicted', () => {
  test('given no resubmission in the scenario, stays FAILED', () => {
    const result = simulated({ queue: alone, pullRequests: [{ number: 1, flakyRuns: [1] }] })
    expect(result.totals).toMatchObject({ failed: 1, healthyEvicted: 1, cameAgain: 0 })
  })

  test('comes again an hour later until it lands, and its time to land counts all of it', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1, at: 3, flakyRuns: [1, 2] }],
      resubmit,
    })
    expect(startsOf(result)).toEqual([3, 73, 143])
    expect(result.totals).toMatchObject({ merged: 1, failed: 0, healthyEvicted: 2, cameAgain: 1 })
    expect(result.timeToLandMinutes.max).toBe(150)
    expect(result.timeInQueueMinutes.max).toBe(10)
    expect(violated(result)).toEqual([])
  })

  test('keeps its options', () => {
    const result = simulated({
      queue: { concurrency: 2, batch: true, batchingMinSize: 3 },
      pullRequests: pullRequests({ noBatch: true, priority: 'high', flakyRuns: [1] }, { at: 70 }),
      resubmit,
    })
    expect(result.testRuns.map(({ tested }) => tested)).toEqual([[1], [1], [2]])
  })

  test('does not come again if somebody was faster', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1, flakyRuns: [1, 2] }],
      events: [{ at: 30, do: 'submit', number: 1 }],
      resubmit,
    })
    // An hour after the second eviction at minute 40, not after the first at minute 10.
    expect(startsOf(result)).toEqual([0, 30, 100])
  })

  test('is submitted twenty times at most', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1, flakeRate: 1 }],
      resubmit,
    })
    expect(result.testRuns).toHaveLength(mostSubmissions)
    expect(endsOf(result)).toEqual({ 1: 'FAILED' })
    expect(violated(result)).toEqual([])
  })

  test('draws flakes and lengths anew for each submission', () => {
    const result = simulated({
      queue: alone,
      suite: { minutes: { median: 10, p95: 30 } },
      pullRequests: [{ number: 1, flakeRate: 0.8 }],
      resubmit,
    })
    const lengths = result.testRuns.map(
      ({ startedAt, finishedAt }) => (finishedAt ?? 0) - startedAt,
    )
    expect(lengths.length).toBeGreaterThan(2)
    expect(new Set(lengths).size).toBe(lengths.length)
    expect(endsOf(result)).toEqual({ 1: 'MERGED' })
  })
})

// S-242
describe('a pull request that was evicted rightly does not come again', () => {
  test('because it breaks, or conflicts with one that merged', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3, conflictsWith: [1] }],
      resubmit,
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED', 3: 'FAILED' })
    expect(result.totals).toMatchObject({ healthyEvicted: 0, cameAgain: 0 })
  })
})

test('the expanded form of a scenario with resubmissions gives the same trace', () => {
  const scenario = scenarioOf({
    queue: { concurrency: 2, batch: true, batchingMinSize: 2 },
    traffic: { count: 30, breakRate: 0.1 },
    suiteFlakes: { perRun: 0.3 },
    resubmit,
  })
  const { traceHash, totals } = simulated(scenario)
  expect(totals.cameAgain).toBeGreaterThan(2)
  expect(simulated(expand(scenario)).traceHash).toBe(traceHash)
})
