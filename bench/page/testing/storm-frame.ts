/** What the stream says of a queue in a storm: five groups, a bisection, many that wait. */

import type { Estimate, Row, RunRow } from '../../../server/page/frame.ts'
import {
  aGroup,
  aHead,
  anEnd,
  aRow,
  aRun,
  aWhole,
  type WholeFrame,
} from '../../../server/page/web/testing/frames.ts'

/** The instant of all scenes; the scene says that it is now. */
const now = Date.parse('2026-03-18T14:02:00.000Z')

/** The instant so many minutes later. */
export const after = (minutes: number): string => new Date(now + minutes * 60_000).toISOString()

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

function rowOf(number: number, state: Row['state'], why: string, minutes: number): Row {
  return aRow(number, {
    state,
    why,
    since: after(-12),
    submittedAt: after(-40),
    estimate: lands(minutes, number % 7 === 0 ? 0.7 : 1),
    member: member(number),
  })
}

export const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index)

export const runOf = (id: number, elapsed: number, outcome: RunRow['outcome'] = null): RunRow => ({
  ...aRun(String(id), outcome),
  startedAt: after(-elapsed),
})

/** A line of five groups, a bisection that has gone on for some steps, and many that wait. */
export function stormFrame(waiting: number): WholeFrame {
  const order = numbers(1045, Math.min(200, waiting))
  const testing = 'Its tests run on top of #1031 and #1033.'
  return aWhole({
    sequence: 4711,
    now: after(0),
    queue: aHead({
      concurrency: 6,
      slotsUsed: 5,
      next: { number: 1031, estimate: lands(1) },
    }),
    rows: [
      ...ends(),
      rowOf(1031, 'TESTS_PASSED', 'It passed and merges next.', 1),
      rowOf(1033, 'TESTS_PASSED', 'It passed and merges next.', 1),
      ...numbers(1036, 4).map((number) => rowOf(number, 'TESTING', testing, 6 + (number % 4))),
      aRow(1042, {
        ...rowOf(1042, 'TESTING', 'It is urgent, so it is tested alone.', 14),
        urgent: true,
      }),
      rowOf(1046, 'PENDING_FAILURE', 'Its run failed; it waits for the run behind it.', 40),
      rowOf(1047, 'TESTING', 'Its tests run on top of #1046.', 45),
      ...[1040, 1041, 1044].map((number) =>
        rowOf(number, 'TESTING', 'Its batch failed and is being bisected.', 35),
      ),
      ...order.map((number) =>
        rowOf(number + 10, 'PENDING', 'A batch of 4 fills: 2 more, or at 14:09 at the latest.', 60),
      ),
      aRow(1500, {
        state: 'NOT_READY',
        why: 'A required review is missing.',
        member: member(1500),
      }),
    ],
    line: {
      groups: [
        aGroup(1, [1031, 1033], { phase: 'passed', run: runOf(810, 17, 'passed') }),
        aGroup(2, [1036, 1037, 1038, 1039], { run: runOf(812, 12) }),
        aGroup(3, [1042], { urgent: true, run: runOf(813, 3) }),
        aGroup(4, [1046], { phase: 'failed', run: null }),
        aGroup(5, [1047], { run: runOf(814, 21) }),
      ],
      bisections: [
        {
          id: 7,
          members: [1040, 1041, 1043, 1044],
          steps: [
            { tested: [1040, 1041], base: [], run: runOf(807, 28, 'passed') },
            { tested: [1043], base: [1040, 1041], run: runOf(809, 20, 'failed') },
            { tested: [1044], base: [1040, 1041], run: runOf(815, 4) },
          ],
          proven: [1040, 1041],
          culprits: [1043],
        },
      ],
    },
    waiting: { order: [...order.map((number) => number + 10), 1500], total: waiting + 1 },
  })
}

/** The oldest first. */
function ends(): Row[] {
  const endOf = (number: number, minutes: number, lasted: number, fields: Partial<Row>): Row =>
    anEnd(number, {
      since: after(-minutes),
      submittedAt: after(-minutes - lasted),
      member: member(number),
      ...fields,
    })
  const merged = numbers(1010, 14).map((number, index) =>
    endOf(number, 9 * (index + 1), 31 + index, {}),
  )
  const cancelled = endOf(1028, 5, 4, {
    state: 'CANCELLED',
    why: 'kim cancelled it.',
    member: { ...member(1028), title: 'Draft: new basket' },
  })
  const evicted = endOf(1029, 3, 52, {
    state: 'FAILED',
    why: 'Run 801 failed with it, and run 803 passed without it.',
    member: {
      ...member(1029),
      title: 'Pay with points',
      evidence: {
        failedIn: '801',
        passedWithout: '803',
        failedTests: [
          'checkout › pays twice when the bank answers late',
          'basket › keeps its order',
        ],
      },
    },
  })
  return [...merged.toReversed(), cancelled, evicted]
}
