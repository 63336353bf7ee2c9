import { expect, test, describe } from 'vitest'
import { checkScenario } from '../scenario/check.ts'
import { commitAt, logOf, recordedLog } from './testing/recorded-logs.ts'
import type { ChangedFiles } from './changed-files.ts'
import { imported } from './imported.ts'
import type { CiRun } from './ci-runs.ts'
import { percent } from './sources.ts'

type Options = { readonly sizesIn?: ChangedFiles['countedIn']; readonly withoutBots?: boolean }

/** Imports a recorded log. Returns its scenario, which is valid. */
function scenarioOf(project: string, { sizesIn = 'lines', withoutBots = false }: Options = {}) {
  const log = logOf(recordedLog(project), { files: ['web/shop.ts'], sizesIn, withoutBots })
  const sources = { name: project, log, runs: null, junit: null, busier: 1, minutes: 10 }
  return checkScenario(imported(sources), project)
}

const assumedIn = (project: string, options: Options = {}) => {
  const { assumed = [] } = scenarioOf(project, options)
  return (what: string) => assumed.filter((each) => each.what === what).map(({ value }) => value)
}

test('a share is 0 % only of nothing', () => {
  const shown = [0, 1, 60, 400, 999, 2_999].map((part) => percent(part, 3_000))
  expect(shown).toEqual(['0 %', '0.03 %', '2.0 %', '13 %', '33 %', '100 %'])
})

// S-202, S-207
test('what is left out, kept or shared is counted', () => {
  const borsNg = assumedIn('bors-ng')
  expect(borsNg('bots')).toEqual(['27 of 42 pull requests, which stay'])
  expect(borsNg('direct pushes')).toEqual(['1 left out: no pull request is named'])
  expect(borsNg('releases')).toEqual([])
  expect(borsNg('sizes')).toEqual([
    '4 pull requests of batches share the size of their commit evenly, and have all its targets',
  ])
  expect(assumedIn('bors-ng', { withoutBots: true })('bots')).toEqual(['27 left out'])
  expect(assumedIn('release-please')('releases')).toEqual(['9 left out'])
})

// S-207
test('what a log cannot tell about a habit is told', () => {
  expect(assumedIn('glib')('landings')).toEqual([
    'A log cannot tell merge trains from other merges of GitLab.',
  ])
  expect(assumedIn('oslo.config')('landings')).toEqual([
    'Changes of Gerrit have no number here, so their Change-Id or commit names them.',
  ])
  expect(assumedIn('fastify')('landings')).toEqual([])
})

// S-204
test('invented numbers are counted, and origin names the pull request', () => {
  expect(assumedIn('mergify-cli')('numbers')).toEqual([
    '15 numbers invented, from 10000001 on; origin says what the history calls the pull request',
  ])
  expect(scenarioOf('oslo.config').pullRequests?.[0]).toMatchObject({
    number: 1,
    origin: 'Change-Id Idd124082265032c30f83242b612d002d7093aa61',
  })
  expect(assumedIn('fastify')('numbers')).toEqual([])
})

// S-206
test.each([
  ['lines', '10 min for the median change, twice for ten times its lines, from 5 to 30 min'],
  [
    'files',
    '10 min for the median change, twice for ten times its files, from 5 to 30 min; lines are unknown, because blobs are missing',
  ],
  ['nothing', '10 min each; sizes are unknown, because trees are missing'],
] as const)('given sizes in %s, says how lengths were guessed', (sizesIn, value) => {
  expect(assumedIn('cargo', { sizesIn })('run length')).toEqual([value])
})

// S-207
test('every assumption says how to replace it', () => {
  for (const project of ['bors-ng', 'rustup', 'mergify-cli', 'test-infra']) {
    for (const { what, value, replace } of scenarioOf(project).assumed ?? []) {
      expect([what, value, replace].every((text) => text.trim() !== '')).toBe(true)
    }
  }
})

const hashOf = (kind: string, number: number): string =>
  `${kind}${String(number).padStart(7, '0')}`.padEnd(40, '0')

const merges = Array.from({ length: 40 }, (_, index) => index + 1)

/** One merge every ten minutes. Its own run began 25 minutes before, so two landed since. */
const landings = merges.map((number) =>
  commitAt(10 * number, {
    hash: hashOf('a', number),
    parents: [hashOf('a', number - 1), hashOf('b', number)],
    subject: `Merge pull request #${number} from shop/till-${number}`,
  }),
)

const run = (commit: string, minute: number, outcome: CiRun['outcome']): CiRun => {
  return { startedAtMs: minute * 60_000, minutes: 5, outcome, commit }
}

/** `red` after their own run has failed, `breaking` after the branch has. */
function scenarioWith({ red = [0], breaking = [0], hashes = 40 } = {}) {
  const runs = merges.flatMap((number) => [
    run(hashOf('b', number), 10 * number - 25, red.includes(number) ? 'failed' : 'passed'),
    run(
      hashOf('a', number).slice(0, hashes),
      10 * number + 1,
      breaking.includes(number) ? 'failed' : 'passed',
    ),
  ])
  const log = logOf(landings, { files: ['till.ts'] })
  return imported({ name: 'x', log, runs, junit: null, busier: 1, minutes: 10 })
}

// S-276
describe('given a log, and runs of the commits of pull requests and of the branch', () => {
  test('one that passed by itself and broke the branch clashed with one of those in between', () => {
    const { traffic, measured, assumed, pullRequests } = scenarioWith({ breaking: [20] })
    // The first has no tested commit before it, and 21 comes after a failure. 2 landed after one.
    expect(measured).toContainEqual({
      what: 'clashes',
      value:
        '2.6 % broke the branch although their own run had passed, 0.01333 for each that landed in between',
      samples: '38 merges, 75 pairs',
    })
    expect(traffic).toEqual({
      count: 0,
      clashRate: { rate: 0.01333, across: 0.01333 },
      baseAge: { median: 25, p95: 25 },
    })
    expect(assumed?.map(({ what }) => what)).not.toContain('clashes')
    expect(pullRequests?.some(({ breaks }) => breaks)).toBe(false)
  })

  test('one whose own run had failed breaks alone', () => {
    const { traffic, pullRequests } = scenarioWith({ red: [20], breaking: [20] })
    expect(traffic).toBeUndefined()
    expect(pullRequests?.filter(({ breaks }) => breaks).map(({ number }) => number)).toEqual([20])
  })

  // S-208
  test('one that landed on a branch that was broken before does not break', () => {
    const { pullRequests } = scenarioWith({ red: [20, 21, 22], breaking: [20, 21, 22] })
    expect(pullRequests?.filter(({ breaks }) => breaks).map(({ number }) => number)).toEqual([20])
  })

  test('hashes may be short, and with too few of them nothing is told', () => {
    expect(scenarioWith({ breaking: [20], hashes: 10 }).traffic).toBeDefined()
    const { traffic, assumed } = scenarioWith({ breaking: [20], hashes: 5 })
    expect(traffic).toBeUndefined()
    expect(assumed?.find(({ what }) => what === 'clashes')?.replace).toBe(
      `--set 'traffic={"count":0,"clashRate":<rate>}'`,
    )
  })
})

const dayMs = 24 * 60 * 60_000

/** Runs of one day each from Thursday, 1 January 1970 on. */
const runsOf = (count: number, outcome: CiRun['outcome'], minutes: number): CiRun[] =>
  Array.from({ length: count }, (_, index) => {
    return { startedAtMs: index * dayMs, minutes, outcome, commit: null }
  })

const ofRuns = (runs: readonly CiRun[]) =>
  checkScenario(imported({ name: 'x', log: null, runs, junit: null, busier: 1, minutes: 10 }), 'x')

// S-275
describe('given a history of runs', () => {
  const runs = [...runsOf(70, 'passed', 20), ...runsOf(35, 'failed', 6)]

  test('whose failing runs end early, the scenario has runs that fail early', () => {
    const { suite, measured = [], pullRequests = [] } = ofRuns(runs)
    expect(suite).toEqual({ minutes: { median: 20, p95: 20 }, minutesFailing: 0.3 })
    expect(measured[1]).toEqual({
      what: 'failing runs',
      value: '0.3 times as long as passing ones, in the median',
      samples: '35 runs that failed, 70 that passed',
    })
    // A run of one that breaks takes 0.3 of its length, which is what was measured.
    expect(new Set(pullRequests.map(({ testMinutes }) => testMinutes))).toEqual(new Set([20]))
  })

  // S-401
  test('what ended without a verdict tells no length, and a commit takes as long as its last run that passed', () => {
    const [passed, failed, errored] = [
      { minutes: 40, outcome: 'passed' },
      { minutes: 5, outcome: 'failed' },
      { minutes: 90, outcome: 'errored' },
    ] as const
    const ofCommit = [passed, failed, errored].map((each, index) => {
      return { ...each, startedAtMs: index, commit: 'abcdef0' }
    })
    const { suite, measured, pullRequests } = ofRuns([
      ...ofCommit,
      ...runs,
      ...runsOf(30, 'errored', 90),
    ])
    expect(suite).toEqual({ minutes: { median: 20, p95: 20 }, minutesFailing: 0.3 })
    expect(measured?.[0]).toMatchObject({ what: 'run length', samples: '71 runs' })
    expect(pullRequests?.[0]).toEqual({ number: 1, at: 0, breaks: true, testMinutes: 40 })
    expect(pullRequests?.at(-1)).not.toHaveProperty('testMinutes')
  })

  test('with too few failing ones, that is an assumption, with its option', () => {
    const { suite, assumed = [] } = ofRuns(runs.slice(0, 99))
    expect(suite).not.toHaveProperty('minutesFailing')
    expect(assumed.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['failing runs', 'clashes', 'age of the base', 'waits for a runner']),
    )
    const replace = assumed.find(({ what }) => what === 'failing runs')?.replace
    expect(replace).toBe('--set suite.minutesFailing=<ratio>')
  })
})
