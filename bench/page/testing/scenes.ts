/** Scenes of the live page: what a server says of a queue in a storm, in lanes, or with hostile titles. */

import type {
  PullRequestPage,
  PullRequestRun,
  RunPage,
  Quarantine,
  Row,
  TrendHour,
} from '../../../server/page/frame.ts'
import {
  aGlance,
  aGroup,
  anEnd,
  aWhole,
  type WholeFrame,
} from '../../../server/page/web/testing/frames.ts'
import { hasLeft } from '../../../server/page/web/state/fold.ts'
import type { Scene } from './staged-server.ts'
import { after, numbers, runOf, stormFrame } from './storm-frame.ts'

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

/** One that has merged, it, and two on top of it. */
function stackWith({ number, state, member }: Row): PullRequestPage['stack'] {
  const named = member ? { member } : {}
  return [
    { number: 1025, state: 'MERGED', dependsOn: [], ...named },
    { number, state, dependsOn: [1025], ...named },
    { number: 1051, state: 'PENDING', dependsOn: [number], ...named },
    { number: 1052, state: null, dependsOn: [number, 1051] },
  ]
}

const batch = numbers(1036, 4)

/** A run of the batch as the page of a pull request, or its own, tells it. */
const told = (
  id: number,
  elapsed: number,
  fields: Partial<PullRequestRun> = {},
): PullRequestRun => ({
  ...runOf(id, elapsed),
  endedAt: null,
  tested: batch,
  base: [1031, 1033],
  isOfBisection: false,
  ...fields,
})

function pageOf(frame: WholeFrame, number: number): PullRequestPage | null {
  const row = frame.rows.find((each) => each.number === number)
  if (!row) return null
  const steps: readonly (readonly [minutes: number, text: string, run?: string])[] = [
    [-40, 'It was submitted by dana.'],
    [-38, 'It was ready and took its place, behind 6 others.'],
    [-30, 'It was tested in a batch with #1037, #1038 and #1039.', '806'],
    [-13, '#1029 ahead of it left the line, so its tests started again.'],
    [-12, 'It is tested on top of #1031 and #1033.', '812'],
  ]
  const last = { testRunId: '812', number: 812, outcome: null, tested: batch, base: [1031] }
  const earlier = {
    submittedAt: after(-3000),
    since: after(-2950),
    state: 'FAILED',
    why: 'Run 512 failed with it, and run 514 passed without it.',
  } as const
  return {
    row,
    why: { sentence: row.why, conflictsWith: null, runs: [last], logOf: '812' },
    timeline: steps.map(([minutes, text, run = null]) => ({ at: after(minutes), text, run })),
    runs: [
      told(806, 30, { outcome: 'cancelled', endedAt: after(-13), base: [1029, 1031, 1033] }),
      told(812, 12),
    ],
    stack: stackWith(row),
    stoodOn: [1031, 1033],
    earlier: [earlier],
  }
}

function runPage(log: string): RunPage {
  const run = told(812, 12, { tested: [1036, 1037], base: [1031] })
  return { run, log, bytes: log.length, noLog: null }
}

const signedIn = {
  signedIn: true,
  tokenName: 'dana’s laptop',
  scopes: ['admin'],
  publicPage: false,
}

export const nobody = { signedIn: false, tokenName: null, scopes: [], publicPage: false }

const quarantineOf = (test: string): Quarantine => ({
  merges: 3,
  tests: [
    {
      test,
      who: test,
      why: test,
      inForce: true,
      merges: 3,
      since: after(-90),
      until: after(9_000),
    },
  ],
  proposals: [{ test: `${test} again`, failures: 4, flakes: 2 }],
})

export function storm(waiting = 14): Scene {
  const frame = stormFrame(waiting)
  return {
    me: signedIn,
    queues: [
      aGlance({
        ...frame.queue,
        inLine: 18,
        waits: waiting,
        next: { number: 1029, estimate: null },
        lastFailure: anEnd(1024, {
          since: after(-50),
          why: 'Its tests failed; without it they passed.',
        }),
      }),
      aGlance({ id: 'other', name: 'docs', state: 'PAUSED' }),
    ],
    frame,
    trends: {
      hours: numbers(0, 24).map(hour),
      flakyTests: tests,
      quarantine: quarantineOf('checkout > pays twice'),
    },
    pullRequest: pageOf(frame, 1036),
    run: runPage('$ npm test\n\u001B[31mFAIL\u001B[0m checkout › pays twice\n'),
    refusal: null,
  }
}

export function empty(): Scene {
  return {
    ...storm(),
    frame: aWhole({ now: after(0) }),
    trends: {
      hours: numbers(0, 24).map((index) => hour(index - 40)),
      flakyTests: [],
      quarantine: null,
    },
  }
}

/** Five lanes, of which two have grown together. */
export function lanes(): Scene {
  const scene = storm()
  const frame = stormFrame(3)
  const groups = [
    aGroup(1, [1031], { run: runOf(810, 9), targets: ['checkout', 'basket'] }),
    aGroup(2, [1033], { run: runOf(811, 5), targets: ['search'] }),
    aGroup(3, [1036, 1037], { run: runOf(812, 7), dependsOn: [1] }),
    aGroup(4, [1042], { run: runOf(813, 2), dependsOn: [1, 2] }),
    aGroup(5, [1046], { run: runOf(814, 1), targets: [hostile] }),
  ]
  const queue = { ...frame.queue, mode: 'parallel', concurrency: 8 } as const
  const stack = new Map([
    [1036, { dependents: [1037] }],
    [1037, { dependsOn: [1036] }],
  ])
  const rows = frame.rows.map((row) => ({ ...row, ...stack.get(row.number) }))
  return { ...scene, frame: { ...frame, rows, queue, line: { groups, bisections: [] } } }
}

const attack = `</script><img src=x onerror="document.title='taken'">\u202E\u0000`
const hostile = attack + 'very '.repeat(400)

/** Half a million letters without a place to break. */
const endless = attack + 'w'.repeat(500_000)

/** Markup, control characters and long texts wherever somebody else writes. */
export function hostileTexts(): Scene {
  const scene = storm()
  const frame = stormFrame(14)
  const evidence = { failedIn: hostile, passedWithout: hostile, failedTests: [hostile] }
  const rows = frame.rows.map((row) => ({
    ...row,
    why: row.number === 1031 ? endless : hostile,
    ...(row.member
      ? {
          member: {
            ...row.member,
            title: row.number === 1033 ? endless : hostile,
            author: hostile,
            url: 'javascript:alert(1)',
            ...(hasLeft(row) ? { evidence } : {}),
          },
        }
      : {}),
  }))
  const queue = {
    ...frame.queue,
    name: hostile,
    stateBy: hostile,
    state: 'PAUSED',
    faults: [hostile],
  } as const
  const page = pageOf({ ...frame, rows, queue }, 1036)
  return {
    ...scene,
    me: { ...scene.me, tokenName: hostile },
    queues: [aGlance({ ...queue, lastFailure: anEnd(1, { why: hostile }) })],
    frame: { ...frame, queue, rows },
    trends: {
      ...scene.trends,
      flakyTests: [{ name: hostile, file: hostile, flakes: 1, ticket: 'javascript:alert(1)' }],
      quarantine: quarantineOf(hostile),
    },
    run: runPage(attack),
    pullRequest: page && {
      ...page,
      timeline: page.timeline.map((step) => ({ ...step, text: hostile, run: hostile })),
      earlier: page.earlier.map((each) => ({ ...each, why: hostile })),
    },
  }
}
