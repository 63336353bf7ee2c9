/** Scenes of the live page: what a server says of a queue in a storm, in a pause, with hostile titles. */

import type { PullRequestPage } from '../../../server/page/answers.ts'
import type { Estimate, Row, TrendHour, WholeFrame } from '../../../server/page/frame.ts'
import { aGroup, aHead, anEnd, aRow, aRun, aStep, aWhole } from '../live/testing/frames.ts'
import type { Scene } from './staged-server.ts'

/** The instant of all scenes; the scene says that it is now. */
const now = Date.parse('2026-03-18T14:02:00.000Z')

/** The instant so many minutes later. */
const after = (minutes: number): string => new Date(now + minutes * 60_000).toISOString()

const titles = [
  'Retry payments that the bank refused',
  'Show prices with tax',
  'Remove the old checkout',
  'Update the address form for phones, so that the keyboard fits the field',
  'Fix rounding',
  'Load fonts from our own server',
  'Cache the basket',
  'Translate the receipt',
]

const authors = ['dana', 'kim', 'Łukasz', 'renovate[bot]', 'o’neill']

function lands(minutes: number, share = 1): Estimate {
  const [from, to] = [after(minutes * 0.7), after(minutes * 1.7)]
  return { kind: 'range', median: after(minutes), from, to, lands: share }
}

function member(number: number): NonNullable<Row['member']> {
  return {
    title: titles[number % titles.length] ?? '',
    author: authors[number % authors.length] ?? '',
    url: `https://github.com/acme/shop/pull/${number}`,
    submittedBy: null,
    priority: 100,
    noBatch: number % 11 === 0,
  }
}

function row(number: number, state: Row['state'], why: string, minutes: number): Row {
  return aRow(number, {
    state,
    why,
    since: after(-12),
    submittedAt: after(-40),
    estimate: lands(minutes, number % 7 === 0 ? 0.7 : 1),
    member: member(number),
  })
}

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

const run = (id: number, elapsed: number, outcome: 'passed' | null = null) => ({
  ...aRun(String(id), outcome),
  startedAt: after(-elapsed),
})

/** A line of five groups, a bisection that has gone on for some steps, and many that wait. */
function stormFrame(waiting: number): WholeFrame {
  const order = numbers(1045, Math.min(200, waiting))
  const testing = 'Its tests run on top of #1031 and #1033.'
  return aWhole({
    sequence: 4711,
    now: after(0),
    queue: aHead({ concurrency: 6, slotsUsed: 5 }),
    rows: [
      row(1031, 'TESTS_PASSED', 'It passed and merges next.', 1),
      row(1033, 'TESTS_PASSED', 'It passed and merges next.', 1),
      ...numbers(1036, 4).map((number) => row(number, 'TESTING', testing, 6 + (number % 4))),
      aRow(1042, {
        ...row(1042, 'TESTING', 'It is urgent, so it is tested alone.', 14),
        urgent: true,
      }),
      row(1046, 'PENDING_FAILURE', 'Its run failed; it waits for the run behind it.', 40),
      row(1047, 'TESTING', 'Its tests run on top of #1046.', 45),
      ...[1040, 1041, 1043, 1044].map((number) =>
        row(number, 'TESTING', 'Its batch failed and is being bisected.', 35),
      ),
      ...order.map((number) =>
        row(number + 10, 'PENDING', 'A batch of 4 fills: 2 more, or at 14:09 at the latest.', 60),
      ),
      aRow(1500, {
        state: 'NOT_READY',
        why: 'A required review is missing.',
        member: member(1500),
      }),
    ],
    line: {
      groups: [
        aGroup(1, [1031, 1033], { phase: 'passed', run: run(810, 17, 'passed') }),
        aGroup(2, [1036, 1037, 1038, 1039], { run: run(812, 12) }),
        aGroup(3, [1042], { urgent: true, run: run(813, 3) }),
        aGroup(4, [1046], { phase: 'failed', run: null }),
        aGroup(5, [1047], { run: run(814, 21) }),
      ],
      bisections: [
        {
          id: 7,
          members: [1040, 1041, 1043, 1044],
          steps: [
            aStep([1040, 1041], 'passed'),
            { ...aStep([1043], 'failed'), base: [1040, 1041] },
            { tested: [1044], base: [1040, 1041], run: run(815, 4) },
          ],
          proven: [1040, 1041],
          culprits: [1043],
        },
      ],
    },
    waiting: { order: order.map((number) => number + 10), total: waiting },
    ended: ends(),
  })
}

function ends(): WholeFrame['ended'] {
  const failed = {
    title: 'Pay with points',
    failedIn: '801',
    passedWithout: '803',
    failedTests: ['checkout › pays twice when the bank answers late', 'basket › keeps its order'],
  }
  const merged = numbers(1010, 14).map((number, index) =>
    anEnd(number, {
      at: after(-9 * (index + 1)),
      minutesInQueue: 31 + index,
      member: { title: member(number).title, failedIn: null, passedWithout: null, failedTests: [] },
    }),
  )
  const why = 'Run 801 failed with it, and run 803 passed without it.'
  const evicted = anEnd(1029, {
    state: 'FAILED',
    at: after(-3),
    minutesInQueue: 52,
    why,
    member: failed,
  })
  const cancelled = anEnd(1028, {
    state: 'CANCELLED',
    at: after(-5),
    minutesInQueue: 4,
    why: 'kim cancelled it.',
    member: { ...failed, title: 'Draft: new basket', failedIn: null, failedTests: [] },
  })
  return [evicted, cancelled, ...merged]
}

function hour(index: number): TrendHour {
  const busy = Math.max(0, Math.sin((index - 7) / 4.5))
  const merged = Math.round(9 * busy)
  return {
    from: after(-60 * (24 - index)),
    merged,
    failed: index % 6 === 0 ? 1 : 0,
    medianMinutes: merged === 0 ? null : 24 + 20 * busy,
    p95Minutes: merged === 0 ? null : 60 + 90 * busy,
    runsPassed: 3 * merged,
    runsFailed: Math.round(merged * 0.6),
    healthyEvicted: index === 12 ? 1 : 0,
  }
}

const tests = [
  { name: 'checkout › pays twice', file: 'test/checkout.test.ts', flakes: 14, ticket: 'SHOP-88' },
  { name: 'basket › keeps its order', file: 'test/basket.test.ts', flakes: 3, ticket: null },
]

function pageOf(frame: WholeFrame, number: number): PullRequestPage | null {
  const row = frame.rows.find((each) => each.number === number)
  if (!row) return null
  const step = (minutes: number, text: string, run: string | null = null) => ({
    at: after(minutes),
    text,
    run,
  })
  return {
    sequence: frame.sequence,
    now: frame.now,
    queue: frame.queue,
    row,
    ended: null,
    timeline: [
      step(-40, 'It was submitted by dana.'),
      step(-38, 'It was ready and took its place, behind 6 others.'),
      step(-30, 'It was tested in a batch with #1037, #1038 and #1039.', '806'),
      step(-13, '#1029 ahead of it left the line, so its tests started again.'),
      step(-12, 'It is tested on top of #1031 and #1033.', '812'),
    ],
    runs: [
      {
        ...run(806, 30),
        outcome: 'cancelled',
        endedAt: after(-13),
        tested: [1036, 1037, 1038, 1039],
        base: [1029, 1031, 1033],
        ofBisection: null,
      },
      {
        ...run(812, 12),
        endedAt: null,
        tested: [1036, 1037, 1038, 1039],
        base: [1031, 1033],
        ofBisection: null,
      },
    ],
    stoodOn: [1031, 1033],
    earlier: [
      {
        submittedAt: after(-3000),
        endedAt: after(-2950),
        state: 'FAILED',
        why: 'Run 512 failed with it, and run 514 passed without it.',
      },
    ],
  }
}

export const signedIn = {
  signedIn: true,
  tokenName: 'dana’s laptop',
  scopes: ['admin'],
  publicPage: false,
}

export function storm(waiting = 14): Scene {
  const frame = stormFrame(waiting)
  return {
    me: signedIn,
    queues: [frame.queue, aHead({ id: 'other', name: 'docs', state: 'PAUSED' })],
    frame,
    trends: { hours: numbers(0, 24).map(hour), flakyTests: tests },
    pullRequest: pageOf(frame, 1036),
    refusal: null,
  }
}

export function empty(): Scene {
  return {
    ...storm(),
    frame: aWhole({ now: after(0) }),
    trends: { hours: numbers(0, 24).map((index) => hour(index - 40)), flakyTests: [] },
  }
}

/** Five lanes, of which two have grown together. */
export function lanes(): Scene {
  const scene = storm()
  const frame = stormFrame(3)
  const groups = [
    aGroup(1, [1031], { run: run(810, 9) }),
    aGroup(2, [1033], { run: run(811, 5) }),
    aGroup(3, [1036, 1037], { run: run(812, 7), dependsOn: [1] }),
    aGroup(4, [1042], { run: run(813, 2), dependsOn: [1, 2] }),
    aGroup(5, [1046], { run: run(814, 1) }),
  ]
  const queue = aHead({ mode: 'parallel', concurrency: 8, slotsUsed: 5 })
  return { ...scene, frame: { ...frame, queue, line: { groups, bisections: [] } } }
}
