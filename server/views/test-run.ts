/** A test run as it is answered, under way or over. */

import type { PullRequestNumber, TestRunId } from '../../engine/index.ts'
import type { PastRun, RunOutcome } from '../history/queue-history.ts'
import type * as wire from '../wire.ts'
import { testRunId } from '../yard/ids.ts'
import { nameOfRepository } from '../yard/queue-ref.ts'
import type { YardQueue } from '../yard/yard-queue.ts'

/** What a run reports as, where the queue asks for no status by name. */
const defaultContext = 'mergeyard'

const statuses = {
  passed: 'succeeded',
  failed: 'failed',
  errored: 'failed',
  timed_out: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<RunOutcome, wire.TestRun['status']>

const checkStates = {
  passed: 'success',
  failed: 'failure',
  errored: 'error',
  timed_out: 'error',
  cancelled: 'error',
} as const satisfies Record<RunOutcome, wire.StatusCheck['state']>

export function testRunView(queue: YardQueue, run: TestRunId, past: PastRun): wire.TestRun {
  const { ids, ref, engine } = queue
  const { kind, base, tested, startedAt, outcome, url } = past
  const id = testRunId(ids, run)
  const requiredStatuses = engine.queue.configuration.requiredStatuses ?? []
  const contexts = requiredStatuses.length > 0 ? requiredStatuses : [defaultContext]
  const state = outcome === null ? 'pending' : checkStates[outcome]
  return {
    testRunId: id,
    status: outcome === null ? 'in_progress' : statuses[outcome],
    isBisection: kind === 'bisection',
    createdAt: new Date(startedAt).toISOString(),
    testBranch: `mergeyard/pr-${tested[0] ?? 0}/${id}`,
    testBranchSha: '',
    requiredStatuses: [...requiredStatuses],
    testedPullRequests: tested.map((prNumber) => ({
      prNumber,
      prUrl: `https://${nameOfRepository(ref)}/pull/${prNumber}`,
      title: '',
    })),
    dependentPrs: [...base],
    impactedTargetsForTestedPrs: targetsOf(queue, tested),
    impactedTargets: targetsOf(queue, [...base, ...tested]),
    statusChecks: contexts.map((context) => ({ context, state, ...(url === '' ? {} : { url }) })),
    checkSuites: [],
  }
}

/** What they impact together, as far as it is known; `ALL` alone where one impacts everything. */
function targetsOf({ engine }: YardQueue, numbers: readonly PullRequestNumber[]): string[] {
  const together = new Set<string>()
  for (const number of numbers) {
    const targets = engine.queue.impactedTargets[number] ?? []
    if (targets === 'ALL') return ['ALL']
    for (const target of targets) together.add(target)
  }
  return [...together]
}
