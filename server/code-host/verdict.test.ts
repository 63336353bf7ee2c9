/** Which checks make a verdict, as a table. */

import { expect, test } from 'vitest'
import { seenFindings } from './finding.ts'
import {
  absentOf,
  stateOf,
  verdictOf,
  type Check,
  type CheckState,
  type WorkflowRun,
} from './verdict.ts'

const since = 1_000
const [actions, otherApp] = [15_368, 72]

const job = (name: string, state: CheckState, suite = 1, startedAt = 2_000): Check => {
  return { name, suite, isOfWorkflow: true, app: actions, state, startedAt, url: `runs/${name}` }
}
const status = (name: string, state: CheckState, startedAt = 2_000, app?: number): Check => {
  return { name, suite: null, isOfWorkflow: false, app: app ?? null, state, startedAt, url: '' }
}
const workflow = (state: CheckState, suite = 1): WorkflowRun => {
  return { suite, name: 'ci', state, url: 'actions/1' }
}

/** What is not as with most: `ci` is required of anybody, a workflow goes on, and the run is late. */
type Given = {
  readonly runs?: readonly WorkflowRun[]
  readonly required?: readonly string[]
  /** The App from which the branch wants the checks. */
  readonly app?: number
  readonly isSkippedEnough?: boolean
  readonly isLate?: boolean
}

const ci = (...rest: [state: CheckState, suite?: number, startedAt?: number]) => job('ci', ...rest)
const all: Given = { required: ['*'] }
const allPassed: Given = { ...all, runs: [workflow('passed')] }
const skipped = [workflow('skipped')]

test.each<[given: string, outcome: string | null, checks: readonly Check[], others?: Given]>([
  ['a job that is not required has failed', 'passed', [ci('passed'), job('lint', 'failed')]],
  ['the job was cancelled', 'errored', [ci('lost')]],
  ['the job is of an earlier run on the same commit', null, [ci('failed', 9)]],
  ['the job was run again in its suite', 'passed', [ci('failed'), ci('passed', 1, 3_000)]],
  [
    'two workflows have a job of the name, and one fails',
    'failed',
    [ci('passed'), ci('failed', 2)],
    { runs: [workflow('going'), workflow('failed', 2)] },
  ],
  [
    'the job was skipped because one that it needs failed',
    'failed',
    [job('build', 'failed'), ci('skipped')],
    { runs: [workflow('failed')] },
  ],
  [
    'the job was skipped, its workflow has passed',
    'passed',
    [ci('skipped')],
    { runs: [workflow('passed')] },
  ],
  ['a status is from before', null, [status('ci', 'passed', 500)]],
  [
    'everything has passed, and a check that is required beside it is not there',
    null,
    [ci('passed')],
    { ...allPassed, required: ['*', 'e2e'] },
  ],
  [
    'a quick workflow has passed soon, and everything is required',
    null,
    [job('lint', 'passed')],
    { ...allPassed, isLate: false },
  ],
  ['nothing came beside it until it was late', 'passed', [job('lint', 'passed')], allPassed],
  [
    'it has failed',
    'failed',
    [job('lint', 'failed')],
    { ...all, runs: [workflow('failed')], isLate: false },
  ],
  [
    'only that one is required',
    'passed',
    [ci('passed')],
    { runs: [workflow('passed')], isLate: false },
  ],
  [
    'the one required job was skipped with its workflow',
    'failed',
    [ci('skipped')],
    { runs: skipped },
  ],
  [
    'the only check is neutral',
    'failed',
    [{ ...status('ci', 'skipped'), suite: 5, app: otherApp }],
  ],
  [
    'all is skipped, and that is enough',
    'passed',
    [ci('skipped')],
    { runs: skipped, isSkippedEnough: true },
  ],
  [
    'one of two required jobs was skipped with its workflow',
    'passed',
    [ci('passed'), job('docs', 'skipped', 2)],
    { runs: [workflow('passed'), workflow('skipped', 2)], required: ['ci', 'docs'] },
  ],
  [
    'a status of the name, of another App than the branch asks for',
    null,
    [status('ci', 'passed', 2_000, actions), status('ci', 'passed')],
    { app: otherApp },
  ],
  [
    'a failure by a stranger, and a pass by the App that the branch asks for',
    'passed',
    [{ ...status('ci', 'passed', 2_000, otherApp), suite: 5 }, status('ci', 'failed')],
    { app: otherApp },
  ],
  [
    'everything has passed, one job was allowed to fail',
    'passed',
    [ci('passed'), job('try', 'failed')],
    allPassed,
  ],
])('given %s, the verdict is %s', (_, outcome, checks, given = {}) => {
  const { required = ['ci'], app = null, isSkippedEnough = false, isLate = true } = given
  const { runs: workflowRuns = [workflow('going')] } = given
  const wanted = required.map((name) => ({ name, app }))
  const verdict = verdictOf({ checks, workflowRuns }, wanted, { since, isSkippedEnough, isLate })
  expect(verdict?.outcome ?? null).toBe(outcome)
})

test('a failed verdict names the checks, and the page of the first', () => {
  const seen = { checks: [job('ci', 'failed')], workflowRuns: [workflow('failed')] }
  const required = [{ name: 'ci', app: null }]
  expect(verdictOf(seen, required, { since, isSkippedEnough: false, isLate: true })).toMatchObject({
    failedTests: [{ name: 'ci' }],
    url: 'runs/ci',
  })
})

test('a conclusion that GitHub may add one day is no success', () => {
  expect([stateOf(true, 'success'), stateOf(true, 'perhaps'), stateOf(false, null)]).toEqual([
    'passed',
    'failed',
    'going',
  ])
})

//
test.each([
  { given: 'all that is there is over', runs: [workflow('passed')], absent: ['ci'] },
  {
    given: 'a workflow is going on',
    runs: [workflow('passed'), workflow('going', 2)],
    absent: null,
  },
  { given: 'a check is going on', checks: [status('scan', 'going')], absent: null },
  { given: 'it is there', checks: [status('ci', 'passed')], absent: null },
  {
    given: 'another App wrote it',
    app: otherApp,
    checks: [job('ci', 'passed')],
    absent: ['ci of App 72'],
  },
  { given: 'all was of an earlier run', runs: [workflow('passed', 9)], absent: null },
  { given: 'everything is required', required: '*', absent: null },
])(
  'of a required check, when $given, absent is: $absent',
  ({ checks = [], required = 'ci', ...rest }) => {
    const { runs = [workflow('passed')], app = null, absent } = rest
    const seen = { checks: [job('build', 'passed'), ...checks], workflowRuns: runs }
    expect(absentOf(seen, [{ name: required, app }], since)?.absent ?? null).toEqual(absent)
  },
)

//
test('doctor compares the required checks with those of the last commits', async () => {
  const asked = {
    branch: 'main',
    method: 'squash',
    isCiTested: true,
    ciFiles: [],
    createsPulls: false,
    otherCi: [],
  } as const
  const wordsFor = async (requiredStatuses: readonly string[], there: readonly string[]) => {
    const checks = there.map((name) => job(name, 'passed'))
    const api = {
      rules: () => Promise.reject(new Error('the queue has a list of its own')),
    }
    const seen = { checks, workflowRuns: [] }
    const found = await seenFindings(api, { ...asked, requiredStatuses }, [seen, seen])
    return found.map(({ words }) => words)
  }
  expect(await wordsFor(['ci'], ['build', 'lint'])).toEqual([
    'ci did not appear on the last 2 commits of main, which had build, lint: if a name is wrong, the queue pauses and says so',
  ])
  expect(await wordsFor(['ci'], ['ci', 'lint'])).toEqual([
    'the last 2 commits of main had all that are required',
  ])
  expect(await wordsFor(['ci'], [])).toEqual([
    'no check was seen on the last 2 commits of main: nothing to compare with',
  ])
  expect(await wordsFor(['*'], ['build'])).toEqual([])
})
