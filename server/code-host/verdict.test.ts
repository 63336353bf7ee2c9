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

type Case = {
  readonly given: string
  readonly checks: readonly Check[]
  readonly runs?: readonly WorkflowRun[]
  readonly required?: readonly string[]
  /** The App from which the branch wants the checks. */
  readonly app?: number
  readonly isSkippedEnough?: boolean
  readonly isLate?: boolean
  readonly outcome: string | null
}

test.each<Case>([
  { given: 'nothing yet', checks: [], outcome: null },
  { given: 'nothing yet, everything required', checks: [], required: ['*'], outcome: null },
  { given: 'the required job has passed', checks: [job('ci', 'passed')], outcome: 'passed' },
  { given: 'only another job', checks: [job('lint', 'passed')], outcome: null },
  { given: 'the job is going', checks: [job('ci', 'going')], outcome: null },
  {
    given: 'one of two has failed, the other is going',
    checks: [job('ci', 'failed'), job('e2e', 'going')],
    required: ['ci', 'e2e'],
    outcome: 'failed',
  },
  {
    given: 'a job that is not required has failed',
    checks: [job('ci', 'passed'), job('lint', 'failed')],
    outcome: 'passed',
  },
  { given: 'the job was cancelled', checks: [job('ci', 'lost')], outcome: 'errored' },
  {
    given: 'one was cancelled because another failed',
    checks: [job('ci', 'failed'), job('e2e', 'lost')],
    required: ['ci', 'e2e'],
    outcome: 'failed',
  },
  {
    given: 'the job is of an earlier run on the same commit',
    checks: [job('ci', 'failed', 9)],
    outcome: null,
  },
  {
    given: 'the job failed in an earlier run, and is going now',
    checks: [job('ci', 'failed', 9), job('ci', 'going')],
    outcome: null,
  },
  {
    given: 'the job was run again in its suite',
    checks: [job('ci', 'failed'), job('ci', 'passed', 1, 3_000)],
    outcome: 'passed',
  },
  {
    given: 'two workflows have a job of the name, and one fails',
    checks: [job('ci', 'passed'), job('ci', 'failed', 2)],
    runs: [workflow('going'), workflow('failed', 2)],
    outcome: 'failed',
  },
  {
    given: 'the job was skipped because one that it needs failed',
    checks: [job('build', 'failed'), job('ci', 'skipped')],
    runs: [workflow('failed')],
    outcome: 'failed',
  },
  {
    given: 'the job was skipped, its workflow has passed',
    checks: [job('ci', 'skipped')],
    runs: [workflow('passed')],
    outcome: 'passed',
  },
  { given: 'a status has passed', checks: [status('ci', 'passed')], outcome: 'passed' },
  { given: 'a status is from before', checks: [status('ci', 'passed', 500)], outcome: null },
  {
    given: 'a status went from pending to failed',
    checks: [status('ci', 'going'), status('ci', 'failed', 3_000)],
    outcome: 'failed',
  },
  {
    given: 'everything has passed but one workflow',
    checks: [job('ci', 'passed')],
    runs: [workflow('passed'), workflow('going', 2)],
    required: ['*'],
    outcome: null,
  },
  {
    given: 'everything has passed, and a check that is required beside it is not there',
    checks: [job('ci', 'passed')],
    runs: [workflow('passed')],
    required: ['*', 'e2e'],
    outcome: null,
  },
  {
    given: 'a quick workflow has passed soon, and everything is required',
    checks: [job('lint', 'passed')],
    runs: [workflow('passed')],
    required: ['*'],
    isLate: false,
    outcome: null,
  },
  {
    given: 'nothing came beside it until it was late',
    checks: [job('lint', 'passed')],
    runs: [workflow('passed')],
    required: ['*'],
    outcome: 'passed',
  },
  {
    given: 'it has failed',
    checks: [job('lint', 'failed')],
    runs: [workflow('failed')],
    required: ['*'],
    isLate: false,
    outcome: 'failed',
  },
  {
    given: 'only that one is required',
    checks: [job('ci', 'passed')],
    runs: [workflow('passed')],
    isLate: false,
    outcome: 'passed',
  },
  {
    given: 'the one required job was skipped, and so was its workflow',
    checks: [job('ci', 'skipped')],
    runs: [workflow('skipped')],
    outcome: 'failed',
  },
  {
    given: 'every workflow was skipped, and everything is required',
    checks: [job('ci', 'skipped')],
    runs: [workflow('skipped')],
    required: ['*'],
    outcome: 'failed',
  },
  {
    given: 'the only check is neutral',
    checks: [{ ...status('ci', 'skipped'), suite: 5, app: otherApp }],
    outcome: 'failed',
  },
  {
    given: 'all is skipped, and that is enough',
    checks: [job('ci', 'skipped')],
    runs: [workflow('skipped')],
    isSkippedEnough: true,
    outcome: 'passed',
  },
  {
    given: 'one of two required jobs was skipped with its workflow',
    checks: [job('ci', 'passed'), job('docs', 'skipped', 2)],
    runs: [workflow('passed'), workflow('skipped', 2)],
    required: ['ci', 'docs'],
    outcome: 'passed',
  },
  {
    given: 'a status of the name, of another App than the branch asks for',
    checks: [status('ci', 'passed', 2_000, actions), status('ci', 'passed')],
    app: otherApp,
    outcome: null,
  },
  {
    given: 'a failure by a stranger, and a pass by the App that the branch asks for',
    checks: [{ ...status('ci', 'passed', 2_000, otherApp), suite: 5 }, status('ci', 'failed')],
    app: otherApp,
    outcome: 'passed',
  },
  {
    given: 'everything has passed, one job was allowed to fail',
    checks: [job('ci', 'passed'), job('try', 'failed')],
    runs: [workflow('passed')],
    required: ['*'],
    outcome: 'passed',
  },
])('given $given, the verdict is $outcome', ({ checks, runs, outcome, ...given }) => {
  const { required = ['ci'], app = null, isSkippedEnough = false, isLate = true } = given
  const judging = { since, isSkippedEnough, isLate }
  const workflowRuns = runs ?? [workflow('going')]
  const wanted = required.map((name) => ({ name, app }))
  const verdict = verdictOf({ checks, workflowRuns }, wanted, judging)
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
