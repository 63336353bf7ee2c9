/** Defects of starts: who starts, when, in which batch, and what is tested alone. */

import { engineParts, rules } from '../../engine/index.ts'
import type { Configuration, QueueView } from '../../engine/index.ts'
import {
  after,
  altering,
  applying,
  catalogue,
  hearing,
  reading,
  withPullRequests,
  withSettings,
  withTestRuns,
  without,
  type Misread,
} from './alterations.ts'
import { toMillis } from '../scenario/time.ts'

/** What a submission leaves behind. */
const submissions = ['pullRequestSubmitted', 'pullRequestRewritten'] as const

/** The rules that read how long a batch waits. */
const waits = ['formGroup', 'armWake'] as const

/** With this policy alone. */
const ifAdaptive =
  (change: (configuration: Configuration) => Partial<Configuration>) =>
  (configuration: Configuration): Partial<Configuration> =>
    configuration.policy === 'adaptive' ? change(configuration) : {}

const documented = (): Partial<Configuration> => ({ policy: 'documented' })

const noFailures: Misread = ({ phases }) => ({ phases: { ...phases, failed: [] } })

const pendingIn = ({ pullRequests }: QueueView) =>
  Object.values(pullRequests).filter(
    ({ home, state }) => home.in === 'order' && state === 'PENDING',
  )

/** Those that are noBatch do not wait, unless the first one is: then it starts. */
const withoutNoBatch: Misread = (queue) => {
  const [first] = pendingIn(queue).toSorted(
    (a, b) => a.priority - b.priority || a.submission - b.submission,
  )
  const isHidden = ({ noBatch, home }: QueueView['pullRequests'][number]) =>
    noBatch && home.in === 'order'
  const hiding = withPullRequests((one) => (isHidden(one) ? { state: 'NOT_READY' } : {}))
  return first?.noBatch ? {} : hiding(queue)
}

/** A pull request that waits counts as PENDING since its submission. */
const sinceSubmission: Misread = (queue) => {
  const oldest = pendingIn(queue).toSorted((a, b) => a.submittedAt - b.submittedAt)
  const since = withPullRequests(({ pendingSince, submittedAt }) =>
    pendingSince === null ? {} : { pendingSince: submittedAt },
  )
  const arrivals = {
    head: 0,
    numbers: oldest.map(({ number }) => number),
    keys: oldest.map(({ submittedAt }) => submittedAt),
  }
  return { ...since(queue), order: { ...queue.order, arrivals } }
}

/** Runs under way time out by the settings of now. */
const timingOutBySettings: Misread = (queue) => {
  const limit = toMillis(queue.configuration.testingTimeoutMinutes)
  const timing = withTestRuns(({ deadline, startedAt }) => ({
    deadline: Math.min(deadline, startedAt + limit),
  }))
  return { ...timing(queue), nextDeadline: queue.now }
}

export const startingDefects = catalogue`
  one-slot-too-many (1): One more main run than concurrency allows can be in progress.
    ${withSettings(['startWaiting', 'formGroup'], ({ concurrency }) => ({
      concurrency: concurrency + 1,
    }))}
  slot-leaked-on-cancel (1): A cancelled run keeps its slot.
    ${after('testRunCancelled', ({ slots }) => void slots.main++)}
  slot-freed-twice (5): A lost run frees two slots.
    ${after('testRunFinished', ({ slots }, { outcome }) => {
      if (outcome === 'errored' && slots.main > 0) slots.main--
    })}
  batch-of-one-more (6): A batch takes one pull request more than the target size.
    ${withSettings('formGroup', ({ batchingMinSize: size }) => ({ batchingMinSize: size + 1 }))}
  batch-of-one-fewer (2): A batch leaves out the last pull request that could join it.
    ${altering(
      'groupPlaced',
      ({ members }) => (members.length > 1 ? { members: members.slice(0, -1) } : {}),
      'formGroup',
    )}
  first-in-order-skipped (2): A batch leaves out the pull request that is first in the pending order.
    ${altering(
      'groupPlaced',
      ({ members }) => (members.length > 1 ? { members: members.slice(1) } : {}),
      'formGroup',
    )}
  no-batch-ignored (1): A noBatch pull request is batched like the others.
    ${applying(submissions, () => ({ noBatch: false }))}
  no-batch-passed-over (1): A batch takes pull requests from behind one that is noBatch.
    ${reading('formGroup', withoutNoBatch)}
  no-batch-outlives-the-submission (18): A pull request that left as noBatch is tested alone when it is submitted again.
    ${applying('pullRequestSubmitted', ({ number }, { pullRequests }) =>
      pullRequests[number]?.noBatch === true ? { noBatch: true } : {},
    )}
  another-commit-ignored (6): The run of a commit merges the pull request after another commit was submitted.
    ${hearing('submitPullRequest', ({ sha: _sha, ...command }) => command)}
  wait-forgotten (1): A batch that does not fill waits permanently, past the maximum wait.
    ${withSettings(waits, () => ({ batchingMaxWaitTimeMinutes: 1_000_000 }))}
  wait-skipped (1): A batch does not wait to fill.
    ${withSettings(waits, () => ({ batchingMaxWaitTimeMinutes: 0 }))}
  wait-halved (1): A batch waits for half of the maximum wait.
    ${withSettings(waits, ({ batchingMaxWaitTimeMinutes: wait }) => ({
      batchingMaxWaitTimeMinutes: wait / 2,
    }))}
  wait-from-submission (13): The wait of a batch counts from the submission of a member, not from PENDING.
    ${reading(waits, sinceSubmission)}
  priority-ignored (2): No priority except urgent changes the order.
    ${applying(submissions, ({ priority }) => (priority > 0 ? { priority: 100 } : {}))}
  lowered-priority-ignored (46): The first that waits stays the first when its priority is lowered.
    ${applying('pullRequestRewritten', (event, { pullRequests, order: { levels } }) => {
      const known = pullRequests[event.number]
      const isFirst = known !== undefined && levels[0]?.numbers[levels[0].head] === known.number
      return isFirst ? { priority: Math.min(event.priority, known.priority) } : {}
    })}
  urgent-ignored (4): An urgent pull request does not interrupt the line.
    ${without('interruptForUrgent')}
  urgent-at-the-end (4): An urgent pull request enters at the end of the line.
    ${altering('groupPlaced', (_, { line }) => ({ index: line.length }), 'interruptForUrgent')}
  new-before-restarted (6): New groups start before restarted groups in the line.
    ${{
      ...engineParts,
      rules: engineParts.rules
        .filter((rule) => rule !== rules.startWaiting && rule !== rules.armWake)
        .concat(rules.startWaiting, rules.armWake),
    }}
  wake-not-armed (1): The engine never requests a wake-up.
    ${without('armWake')}
  wake-a-minute-late (1): The wake-up for timeouts and retries is requested a minute too late.
    ${reading('armWake', ({ nextDeadline: due }) => ({
      nextDeadline: due === null ? null : due + toMillis(1),
    }))}
  woken-for-nothing (2): While a bisection is in progress, the engine requests a wake-up every ten milliseconds.
    ${reading('armWake', ({ bisections, now }) =>
      bisections.length > 0 ? { nextDeadline: now + 10 } : {},
    )}
  timeout-missed (8): A run that hangs never times out.
    ${without('expireRuns')}
  timeout-of-now (5): A shorter testingTimeoutMinutes also ends runs that started before it was set.
    ${reading('expireRuns', timingOutBySettings)}
  submission-forgotten (2): A pull request submitted behind others during a main run is missing in the pending order.
    ${after('pullRequestSubmitted', ({ slots, order }, { number }) => {
      for (const { numbers, keys } of slots.main === 0 ? [] : order.levels) {
        const at = numbers.indexOf(number)
        if (at <= 0 || at < numbers.length - 1) continue
        numbers.pop()
        keys.pop()
      }
    })}
`

/** Defects of what the adaptive policy decides: batches that grow, and groups that are tested alone. */
export const adaptingDefects = catalogue`
  batches-never-grow (23): Batches that may grow stay pairs, however many pull requests wait.
    ${withSettings(
      'formGroup',
      ifAdaptive(({ batchingMinSize: size }) => ({ batchingMinSize: Math.min(2, size) })),
    )}
  batches-grow-at-once (3): Batches that may grow fill up to the target size, however few pull requests wait.
    ${withSettings('formGroup', documented)}
  batches-grow-past-half-a-failure (23): Batches grow with those that wait, however often pull requests break.
    ${reading('formGroup', ({ configuration: { policy } }) =>
      policy === 'adaptive' ? { judged: { count: 1000, failed: 0 } } : {},
    )}
  batches-stay-pairs-where-many-fail (23): Batches stay pairs although more than one pull request in five fails.
    ${reading('formGroup', ({ judged: { count, failed } }) => ({
      judged: { count, failed: Math.min(failed, Math.floor((10 + count) / 5) - 1) },
    }))}
  a-batch-waits-in-an-idle-queue (3): With the adaptive policy a batch waits for further members in an idle queue.
    ${
      // Group 0 does not exist, so that the line seems to hold others.
      reading('formGroup', ({ line }) => ({ line: [0, 0, ...line] }))
    }
  no-batch-waits-in-a-busy-queue (16): With the adaptive policy no batch waits for further members.
    ${withSettings(
      'formGroup',
      ifAdaptive(() => ({ batchingMaxWaitTimeMinutes: 0 })),
    )}
  never-steps-aside (4): A failed group stays in the way of those behind, although it has to step aside.
    ${altering('groupFailed', ({ group }, { groups }) => {
      const phase = groups[group]?.phase
      const isAlone = phase?.kind === 'testing' && phase.run.screening === true
      return isAlone ? {} : { aside: undefined }
    })}
  merges-past-a-failure-aside (47): Without optimistic merging, groups merge past a failure that stepped aside.
    ${reading('merge', noFailures)}
  never-screens (4): A group is tested on top of groups that will probably not all pass.
    ${withSettings('startWaiting', documented)}
  screens-the-likely (4): A group is tested alone although its predecessors will probably all pass.
    ${reading('startWaiting', ({ judged: { count, failed } }) => ({
      judged: { count: count + 20, failed: failed + 20 },
    }))}
  failure-says-nothing-of-those-below (47): A failed run does not make it less probable that those below it pass.
    ${reading('startWaiting', noFailures)}
  screened-is-passed (4): A group that has passed alone merges without a run on top of its predecessors.
    ${altering(['groupScreened', 'pullRequestMoved'], (event, { groups }) => {
      if (event.type === 'groupScreened') {
        const phase = groups[event.group]?.phase
        if (phase?.kind !== 'testing') return {}
        return [{ type: 'groupPassed', group: event.group, run: phase.run }]
      }
      if (event.reason !== 'SCREENING_TEST_RUN_PASSED') return {}
      return [{ ...event, to: 'TESTS_PASSED', reason: 'TEST_RUN_PASSED' }]
    })}
  screened-is-forgotten (4): A group that has passed alone gets no second run while another group is in the line.
    ${reading('startWaiting', ({ phases, groups, line }) => {
      const waiting = phases.waiting.filter((id) => line.length === 1 || !groups[id]?.screened)
      return { phases: { ...phases, waiting } }
    })}
  survivors-are-tested-alone (131): What a bisection has just proven is tested alone once more before it is tested on top.
    ${altering('groupScreened', ({ group }, { groups }) =>
      groups[group]?.phase.kind === 'waiting' ? null : {},
    )}
  overtaken-convicts (28): A failure from before another commit counts as a verdict of the bisection.
    ${altering('bisectionStarted', () => ({ overtaken: undefined }))}
`
