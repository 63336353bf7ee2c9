/** Defects of what a run holds: its composition, restarts when it changes, targets, lanes and stacks. */

import { engineParts, failureOfTip } from '../../engine/index.ts'
import type { EngineParts, Event, Queue, QueueView, RestartReason } from '../../engine/index.ts'
import {
  after,
  altering,
  answering,
  applying,
  catalogue,
  emitting,
  hearing,
  insteadOfRejecting,
  keeping,
  reading,
  withPullRequests,
  type Misread,
} from './alterations.ts'

const isRestart = (event: Event, reason: RestartReason): boolean =>
  (event.type === 'testRunCancelled' && event.cause === reason) ||
  (event.type === 'groupRestarted' && event.reason === reason) ||
  (event.type === 'pullRequestMoved' && event.to === 'PENDING' && event.reason === reason)

const withoutRestarts = (reason: RestartReason): EngineParts =>
  emitting(null, (event) => (isRestart(event, reason) ? [] : [event]))

/** Overlooks uploads for pull requests that are in a group, or in a bisection. */
const ignoringUploads = (where: 'group' | 'bisection'): EngineParts =>
  keeping('impactedTargetsSet', ({ pullRequests }, { number }) => {
    const uploaded = pullRequests[number]
    const home = uploaded?.home
    if (!uploaded || home?.in !== where) return undefined
    uploaded.home = { in: 'nowhere' }
    return () => void (uploaded.home = home)
  })

/** New groups forget something. */
const placing = (forget: (group: Queue['groups'][number]) => void): EngineParts =>
  after('groupPlaced', ({ groups }, { group: id }) => {
    const group = groups[id]
    if (group) forget(group)
  })

const nothingInWork: Misread = () => ({ line: [], bisections: [] })

export const composingDefects = catalogue`
  predecessor-forgotten (1): A main run leaves out the first pull request of its base.
    ${altering('testRunStarted', ({ run }) => {
      const { base, submissions, owner } = run
      if (owner.kind !== 'main' || base.length === 0) return {}
      return { run: { ...run, base: base.slice(1), submissions: submissions.slice(1) } }
    })}
  bisection-on-the-newest-tip (8): Bisection runs use the current tip of the branch, not the pinned tip.
    ${altering(
      'testRunStarted',
      ({ run }, { tip }) => ({ run: { ...run, tip: tip.number } }),
      'startBisectionRuns',
    )}
  text-conflict-forgotten (4): Runs are composed without a check for text conflicts.
    ${reading('startWaiting', () => ({ hostFacts: {} }))}
  split-turns-the-order-round (22): A member that leaves its batch because of a text conflict goes ahead of those that left it before.
    ${altering(
      'groupSplit',
      ({ group }, { line }) => ({ index: line.indexOf(group) + 1 }),
      'startWaiting',
    )}
  cancel-restarts-nobody (6): Groups that were tested with a cancelled pull request continue without a restart.
    ${withoutRestarts('PREREQUISITE_MERGE_ITEM_CANCELLED')}
  failure-restarts-nobody (1): Groups that were tested on top of a failed pull request continue without a restart.
    ${withoutRestarts('PREREQUISITE_MERGE_ITEM_FAILED')}
  push-restarts-nobody (1): A push to the branch restarts no group of the line.
    ${withoutRestarts('MANUAL_PUSH_TO_TARGET_BRANCH')}
  urgent-restarts-nobody (4): Groups behind an urgent pull request continue without it in their base.
    ${withoutRestarts('SKIP_THE_LINE_INTERRUPTED')}
  restart-takes-others-along (15): A restart of one pull request restarts the whole line.
    ${answering('restartTests', (step, command) => {
      const rejection = engineParts.decide(step, command)
      const { line, groups } = step.queue
      const others = rejection ? [] : line.flatMap((id) => groups[id]?.members ?? [])
      for (const number of others) engineParts.decide(step, { ...command, number })
      return rejection
    })}
  number-left-out (6): Every fifth number of a group is left out.
    ${altering('groupPlaced', ({ group }) => ({ group: group + (group % 5 === 4 ? 1 : 0) }))}
  targets-index-stale (18): New targets of a pending pull request are missing in the index of targets.
    ${keeping('impactedTargetsSet', ({ order }) => {
      const before = structuredClone(order.sharing)
      return () => void (order.sharing = before)
    })}
  all-targets-ignored (4): A pull request with ALL targets counts as one without targets.
    ${applying('impactedTargetsSet', ({ targets }) => (targets === 'ALL' ? { targets: [] } : {}))}
  upload-ignored-by-who-starts-again (63): A group that starts again, or has passed alone, depends on what it depended on when it started, whatever was uploaded since.
    ${keeping(['groupRestarted', 'groupScreened'], ({ groups }, { group: id }) => {
      const group = groups[id]
      const before = group?.dependsOn
      return group && before && (() => void (group.dependsOn = before))
    })}
  upload-ignored-until-restart (43): Targets that are uploaded for a pull request in the line count for nobody until its own group restarts.
    ${ignoringUploads('group')}
  upload-ignored-in-a-bisection (36): A bisection has the targets of its batch, whatever is uploaded for its members.
    ${ignoringUploads('bisection')}
  upload-restarts-nobody (43): A group for which more targets are uploaded goes on, as do those that share one with it by now.
    ${emitting('setImpactedTargets', (event) => {
      const isLost = isRestart(event, 'TESTS_RESTARTED_BY_API_REQUEST')
      return isLost || event.type === 'groupMoved' ? [] : [event]
    })}
  upload-keeps-its-place (43): A group for which more targets are uploaded stays ahead of those that were tested without it.
    ${altering('groupMoved', () => null, 'setImpactedTargets')}
  upload-overlooks-what-merged (121): More targets are uploaded for a group, and what has merged beside its run meanwhile does not count.
    ${reading('setImpactedTargets', () => ({ landed: [] }))}
  lanes-depend-on-nobody (4): In parallel mode a new group depends on no group ahead of it.
    ${placing((group) => void (group.dependsOn = []))}
  lanes-beside-no-bisection (18): In parallel mode a new group does not notice bisections that share a target with it.
    ${placing((group) => void (group.beside = []))}
  mode-switched-while-busy (5): A change of mode does not wait until the line is empty.
    ${reading('switchMode', nothingInWork)}
  mode-switched-at-once (5): A change of mode takes effect at once, as if the line were empty.
    ${reading('updateQueue', nothingInWork)}
`

// Defects of stacks: who depends on whom, when it starts, and what leaves with whom.

type PullRequest = QueueView['pullRequests'][number]

/** Nobody depends on anybody, or only those of which this is not said. */
const unstackedIf = (isHidden: (one: PullRequest) => boolean): Misread =>
  withPullRequests((one) => (one.dependsOn && isHidden(one) ? { dependsOn: undefined } : {}))

const unstacked = unstackedIf(() => true)

/** A group of the line waits for a retry or for the branch. */
const isHeldBack = (queue: QueueView): boolean =>
  failureOfTip(queue) !== null ||
  Object.values(queue.groups).some(
    ({ phase }) => phase.kind === 'waiting' && (phase.retry?.notBefore ?? 0) > queue.now,
  )

export const stackingDefects = catalogue`
  depends-on-itself (8): A pull request that would depend on itself is admitted, and depends on nobody.
    ${insteadOfRejecting('submitPullRequest', 'depends on itself', (step, command) =>
      engineParts.decide(step, { ...command, dependsOn: [] }),
    )}
  other-dependencies-ignored (8): A pull request in the queue that is submitted with others to depend on keeps its own.
    ${hearing('submitPullRequest', (command, { pullRequests }) => {
      const { dependsOn: _dependsOn, ...kept } = command
      return pullRequests[command.number]?.home.in === 'order' ? kept : command
    })}
  ready-without-what-it-depends-on (5): A pull request is ready although what it depends on is neither merged nor ready.
    ${altering('pullRequestSubmitted', ({ state, dependsOn }) =>
      state === 'NOT_READY' && dependsOn ? { state: 'PENDING' } : {},
    )}
  direct-merge-past-what-it-depends-on (1065): A pull request that is green on the tip merges before what it depends on.
    ${reading('mergeDirectly', unstacked)}
  turn-before-what-it-depends-on (5): A pull request keeps its turn, although what it depends on was submitted later.
    ${altering('pullRequestMoved', () => ({ turn: undefined }))}
  less-urgent-below (8): What an urgent pull request depends on keeps its priority.
    ${emitting('commands', (event, _queue, command) => {
      const isOwn =
        command && 'number' in command && 'number' in event && event.number === command.number
      return event.type !== 'pullRequestRewritten' || isOwn ? [event] : []
    })}
  urgent-past-what-it-depends-on (8): An urgent pull request enters the line ahead of what it depends on.
    ${reading('interruptForUrgent', unstacked)}
  stays-without-what-it-depends-on (5): When one leaves, those that depend on it stay in the queue.
    ${altering('pullRequestMoved', ({ leftWith }) => (leftWith === undefined ? {} : null))}
  leaves-without-a-name (5): One that leaves because of what it depends on does not name it.
    ${altering('pullRequestMoved', () => ({ leftWith: undefined }))}
  screened-without-what-it-depends-on (8): If adaptive, a pull request is tested on the branch alone, without what it depends on.
    ${reading('startWaiting', (queue) =>
      unstackedIf(({ dependsOn = [] }) =>
        dependsOn.every((below) => queue.pullRequests[below]?.home.in === 'group'),
      )(queue),
    )}
  tested-without-what-it-depends-on (8): A pull request is tested although what it depends on is not below it.
    ${reading('startWaiting', (queue) =>
      queue.configuration.policy === 'adaptive' ? {} : unstacked(queue),
    )}
  tested-upon-without-what-it-depends-on (47): While a group may not start, others stand on it although what it depends on is not below it.
    ${reading('startWaiting', (queue) => (isHeldBack(queue) ? unstacked(queue) : {}))}
  enters-before-what-it-depends-on (18): In parallel mode a pull request enters the line before what it depends on.
    ${reading('formGroup', unstacked)}
  merged-below-counts-as-a-conflict (8): A pull request that waits for what it depends on is FAILED when that has merged.
    ${altering('groupConflicted', () => ({ asText: true }))}
  stays-in-a-bisection-without-what-it-depends-on (748): When one goes back to the line, those that depend on it stay in its bisection.
    ${reading(null, (queue, command) =>
      command?.type === 'submitPullRequest'
        ? {}
        : unstackedIf(({ home }) => home.in === 'bisection')(queue),
    )}
  forgets-what-others-depend-on (126): A merged pull request is forgotten although somebody in the queue depends on it.
    ${reading('forget', () => ({ dependents: {} }))}
  targets-of-its-own (18): A pull request does not impact the targets that what it depends on impacts.
    ${reading('setImpactedTargets', (queue) => ({ ...unstacked(queue), dependents: {} }))}
`
