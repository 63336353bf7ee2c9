/** Test runs as responses show them, in progress or finished. */

import type { PullRequestNumber, QueueView, TestRunId } from '../../engine/index.ts'
import type { PastRun, PastRunOutcome } from '../history/queue-history.ts'
import type * as wire from '../contract/wire.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { pullRequestUrl, type Pages } from './pull-request-url.ts'

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
export type RunSurroundings = Pick<ManagedQueue, 'ids' | 'history'> &
  Pick<QueueView, 'impactedTargets'> & {
    readonly requiredStatuses: readonly string[]
    readonly urlOf: (number: PullRequestNumber) => string
  }

export function surroundingsIn(queue: ManagedQueue, pages: Pages): RunSurroundings {
  const { ids, engine, history } = queue
  const { impactedTargets, configuration } = engine.queue
  return {
    ids,
    history,
    urlOf: (number) => pullRequestUrl(pages, queue, number),
    impactedTargets,
    requiredStatuses: configuration.requiredStatuses ?? [],
  }
}

export function testRunView(queue: RunSurroundings, run: TestRunId, past: PastRun): wire.TestRun {
  const { ids, urlOf, history, requiredStatuses } = queue
  const { kind, base, tested, startedAt, outcome, url, commit = '' } = past
  const id = testRunId(ids, run)
  const contexts = requiredStatuses.length > 0 ? requiredStatuses : [defaultContext]
  const state = outcome === null ? 'pending' : checkStates[outcome]
  return {
    testRunId: id,
    status: outcome === null ? 'in_progress' : statuses[outcome],
    isBisection: kind === 'bisection',
    createdAt: new Date(startedAt).toISOString(),
    testBranch: `mergeyard/pr-${tested[0] ?? 0}/${id}`,
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
