import type { TestName, PullRequestNumber, QueueView, TestRunId } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { inSlices } from '../files/turns.ts'
import type { Repository } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import {
  answer,
  reject,
  unknownTestRun,
  type Answer,
  type Context,
  type LongOperation,
  withQueue,
} from './operation.ts'
import { testBranchOf, testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { type Pages, pullRequestUrl } from '../views/pull-request.ts'
import type { PastRun, PastRunOutcome } from '../history/queue-history.ts'

/** The ids of more tests are computed in slices of so many. */
const perSlice = 500

/**
 * Reports the outcome of a test run. A report for a finished run changes nothing in the queue, but
 * the names of its tests are recorded.
 */
export const reportTestRun: LongOperation<wire.ReportTestRun, wire.TestRunReported> = (
  context,
  body,
) => {
  const { registry } = context.manager
  const found = registry.findTestRun(body.testRunId)
  if (!found) return reject(unknownTestRun(registry, body.testRunId))
  const { name, ref } = found.queue
  if (context.hosting.of(name)?.testsItself) return reject({ code: 'works itself', queue: ref })
  const failedTests = withoutDuplicates(body.failedTests)
  const flakyTests = withoutDuplicates(body.flakyTests)
  const report: Report = { body, failedTests, flakyTests }
  const work = casesOf(registry, found.queue.ref, [...failedTests, ...flakyTests])
  const first = work.next()
  if (first.done === true) return send(context, report, first.value)
  return inSlices(work).then((testCases) => send(context, report, testCases))
}

type Report = {
  readonly body: wire.ReportTestRun
  readonly failedTests: readonly TestName[]
  readonly flakyTests: readonly TestName[]
}

/** Finds the run again, because its queue may have been deleted between two slices. */
function send(
  { manager }: Context,
  { body, failedTests, flakyTests }: Report,
  testCases: wire.ReportedTestCase[],
): Answer<wire.TestRunReported> {
  const found = manager.registry.findTestRun(body.testRunId)
  if (!found) return reject(unknownTestRun(manager.registry, body.testRunId))
  const { queue, run: testRun } = found
  const { outcome, url } = body
  const reported = manager.send(queue.name, {
    type: 'finishTestRun',
    testRun,
    outcome,
    ...(failedTests.length > 0 ? { failedTests } : {}),
    ...(flakyTests.length > 0 ? { flakyTests } : {}),
    ...(url === undefined ? {} : { url }),
  })
  if (reported.accepted) return answer({ testCases })
  if (reported.rejection.code !== 'test run is over') return reject(reported.rejection)
  const hasNewCase = testCases.some(
    ({ test_case_id: id }) => !manager.registry.testCases.find(queue.ref, id),
  )
  const tests = [...failedTests, ...flakyTests]
  if (hasNewCase) manager.send(queue.name, { type: 'recordTestCases', tests })
  return answer({ ignored: true, testCases })
}

/**
 * Removes duplicates, because some runners report a test once for each of its parameters. Keeps
 * only the fields that the engine knows, because the command goes to the log.
 */
function withoutDuplicates(tests: readonly wire.TestName[] = []): TestName[] {
  const unique = new Map<string, TestName>()
  for (const { name, file } of tests) {
    const test = file === undefined ? { name } : { name, file }
    unique.set(JSON.stringify([file ?? '', name]), test)
  }
  return [...unique.values()]
}

/** Each test once, with its permanent id. Yields at the end of each slice but the last. */
function* casesOf(
  { testCases }: QueueRegistry,
  repository: Repository,
  tests: readonly TestName[],
): Generator<undefined, wire.ReportedTestCase[]> {
  const cases = new Map<string, string>()
  for (const [index, test] of tests.entries()) {
    if (index > 0 && index % perSlice === 0) yield
    cases.set(testCases.idOf(repository, test), test.name)
  }
  return [...cases].map(([id, name]) => ({ name, test_case_id: id }))
}

/** Returns one test run, in progress or finished; without an id, all runs in progress. */
export const getMergeQueueTestingDetails: LongOperation<
  wire.GetMergeQueueTestingDetails,
  wire.TestingDetails
> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { testRunId: id } = body
    const surroundings = surroundingsIn(queue, context.hosting)
    const hosted = context.hosting.of(queue.name)
    // The commit of a run in progress is made again after a restart, so no command tells it.
    const known = (run: TestRunId, past: PastRun): PastRun => {
      const commit = past.commit ?? hosted?.commitOf(run) ?? ''
      return commit === '' ? past : { ...past, commit }
    }
    if (id === undefined) {
      const runs = runsInProgress(queue).map((run) => ({ ...run, past: known(run.id, run.past) }))
      if (!areShort(queue, runs)) return { pieces: jsonOfRuns(queue, context.hosting, runs) }
      const testRuns = runs.map((run) => testRunView(surroundings, run.id, run.past))
      return answer({ testRuns })
    }
    const found = context.manager.registry.findTestRun(id)
    const past = found?.queue === queue ? queue.history.testRuns.get(found.run) : undefined
    if (!found || !past) return reject(unknownTestRun(context.manager.registry, id))
    const shown = withoutMerged(queue.engine.queue, found.run, known(found.run, past))
    return answer(testRunView(surroundings, found.run, shown))
  })

/** All test runs in progress at one instant, as JSON in pieces. */
type RunInProgress = { readonly id: TestRunId; readonly past: PastRun }

/** More pull requests and targets in all runs together than this are shown in pieces. */
const shortLength = 1000

function runsInProgress({ engine, history }: ManagedQueue): RunInProgress[] {
  return Object.values(engine.queue.testRuns).flatMap(({ id }) => {
    const past = history.testRuns.get(id)
    return past ? [{ id, past: withoutMerged(engine.queue, id, past) }] : []
  })
}

/**
 * A run in progress without the pull requests below it that have merged since it started. A number
 * that merged and was submitted again names another submission, which is not below this run. A-52
 */
function withoutMerged(queue: QueueView, id: TestRunId, past: PastRun): PastRun {
  const run = queue.testRuns[id]
  if (!run) return past
  const base = past.base.filter((number, index) => {
    const now = queue.pullRequests[number]
    return now?.submission === run.submissions[index] && now?.state !== 'MERGED'
  })
  return { ...past, base }
}

/** True if the runs can be shown in one turn of the event loop. */
function areShort({ engine }: ManagedQueue, runs: readonly RunInProgress[]): boolean {
  const { impactedTargets } = engine.queue
  let length = 0
  for (const number of pullRequestsIn(runs)) {
    length += 1 + (impactedTargets[number]?.length ?? 0)
    if (length > shortLength) return false
  }
  return true
}

/** Each piece is one run. What a command could change until then is kept at once. */
function jsonOfRuns(
  queue: ManagedQueue,
  pages: Pages,
  runs: readonly RunInProgress[],
): Generator<string> {
  const { impactedTargets: current } = queue.engine.queue
  const impactedTargets: Record<PullRequestNumber, QueueView['impactedTargets'][number]> = {}
  for (const number of pullRequestsIn(runs)) {
    const targets = current[number]
    if (targets !== undefined) impactedTargets[number] = targets
  }
  return piecesOf({ ...surroundingsIn(queue, pages), impactedTargets }, runs)
}

function* piecesOf(queue: RunSurroundings, runs: readonly RunInProgress[]): Generator<string> {
  let before = '{"testRuns":['
  for (const { id, past } of runs) {
    yield before + JSON.stringify(testRunView(queue, id, past))
    before = ','
  }
  yield ']}'
}

function* pullRequestsIn(runs: readonly RunInProgress[]): Generator<PullRequestNumber> {
  for (const { past } of runs) {
    yield* past.base
    yield* past.tested
  }
}

/** The name of the status check if the queue requires no status by name. */
const defaultContext = 'mergeyard'

const statuses = {
  passed: 'succeeded',
  failed: 'failed',
  errored: 'failed',
  timed_out: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<PastRunOutcome, wire.TestRun['status']>

const checkStates = {
  passed: 'success',
  failed: 'failure',
  errored: 'error',
  timed_out: 'error',
  cancelled: 'error',
} as const satisfies Record<PastRunOutcome, wire.StatusCheck['state']>

/** What a view of a test run needs of its queue. */
type RunSurroundings = Pick<ManagedQueue, 'ids' | 'history'> &
  Pick<QueueView, 'impactedTargets'> & {
    /** Those by which the run was judged, or is if it ends now. */
    readonly statusesOf: (run: PastRun) => readonly string[]
    readonly urlOf: (number: PullRequestNumber) => string
  }

function surroundingsIn(queue: ManagedQueue, pages: Pages): RunSurroundings {
  const { ids, engine, history } = queue
  const { impactedTargets, configuration } = engine.queue
  const { requiredStatuses: now } = configuration
  const statusesOf = ({ endedAt }: PastRun): readonly string[] => {
    const then =
      endedAt === null ? undefined : history.statusesUntil.find(({ until }) => endedAt <= until)
    return (then ? then.statuses : now) ?? []
  }
  return {
    ids,
    history,
    urlOf: (number) => pullRequestUrl(pages, queue, number),
    impactedTargets,
    statusesOf,
  }
}

function testRunView(queue: RunSurroundings, run: TestRunId, past: PastRun): wire.TestRun {
  const { ids, urlOf, history } = queue
  const requiredStatuses = queue.statusesOf(past)
  const { kind, base, tested, startedAt, outcome, url, commit = '' } = past
  const id = testRunId(ids, run)
  const contexts = requiredStatuses.length > 0 ? requiredStatuses : [defaultContext]
  const state = outcome === null ? 'pending' : checkStates[outcome]
  return {
    testRunId: id,
    status: outcome === null ? 'in_progress' : statuses[outcome],
    isBisection: kind === 'bisection',
    createdAt: new Date(startedAt).toISOString(),
    testBranch: testBranchOf(ids, run, tested),
    testBranchSha: commit,
    requiredStatuses: [...requiredStatuses],
    testedPullRequests: tested.map((prNumber) => ({
      prNumber,
      prUrl: urlOf(prNumber),
      title: history.pullRequests.get(prNumber)?.described.title ?? '',
    })),
    dependentPrs: [...base],
    impactedTargetsForTestedPrs: targetsOf(queue, tested),
    impactedTargets: targetsOf(queue, [...base, ...tested]),
    statusChecks: contexts.map((context) => ({ context, state, ...(url === '' ? {} : { url }) })),
    checkSuites: [],
  }
}

/** The known targets of all these pull requests; only `ALL` if one of them impacts everything. */
function targetsOf(
  { impactedTargets }: RunSurroundings,
  numbers: readonly PullRequestNumber[],
): string[] {
  const together = new Set<string>()
  for (const number of numbers) {
    const targets = impactedTargets[number] ?? []
    if (targets === 'ALL') return ['ALL']
    for (const target of targets) together.add(target)
  }
  return [...together]
}
