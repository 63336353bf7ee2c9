/** Defects of merging (which groups, when, in which order), and of the states of the queue. */

import { beingMerged, type EngineParts, type Event, type QueueView } from '../../engine/index.ts'
import {
  after,
  altering,
  applying,
  catalogue,
  emitting,
  hearing,
  keeping,
  reading,
  withBisections,
  withGroups,
  withPhases,
  without,
  type Misread,
} from './alterations.ts'

const moved = 'TARGET_BRANCH_MOVED'

const asRunning =
  (misread: QueueView['state']): Misread =>
  ({ state }) =>
    state === misread ? { state: 'RUNNING' } : {}

const nothingInWork: Misread = () => ({ line: [], bisections: [] })

/** Some events of a merge that was refused are missing. */
const refusing = (
  isMeant: (refused: string) => boolean,
  isKept: (event: Event) => boolean,
): EngineParts =>
  emitting('finishMerge', (event, _queue, command) => {
    const refused = command?.type === 'finishMerge' ? command.refused : null
    return refused !== null && isMeant(refused) && !isKept(event) ? [] : [event]
  })

/** Some groups are not in the line. */
const withoutGroups =
  (isHidden: (group: QueueView['groups'][number] | undefined) => boolean): Misread =>
  ({ line, groups }) => ({ line: line.filter((id) => !isHidden(groups[id])) })

export const mergingDefects = catalogue`
  merge-order-swapped (1): Of the groups that passed, the last in the line merges first.
    ${reading('merge', ({ line, phases }) => ({
      line: line.toReversed(),
      phases: { ...phases, passed: phases.passed.toReversed() },
    }))}
  batch-merged-backwards (2): The members of a batch merge from the last to the first.
    ${reading(
      'merge',
      withGroups(({ members }) => ({ members: members.toReversed() })),
    )}
  merge-past-a-bisection (2): Without optimistic merging, groups merge while a failure ahead is being bisected.
    ${reading('merge', () => ({ bisections: [] }))}
  direct-merge-past-the-line (11): A pull request that is green on the tip merges directly, even with pull requests ahead of it.
    ${reading('mergeDirectly', nothingInWork)}
  direct-merge-never (4): A pull request that may merge without a run is tested.
    ${without('mergeDirectly')}
  green-on-an-older-tip (11): A pull request that was green on an earlier tip counts as green on the current tip.
    ${keeping('tipMoved', (queue, { number }) => {
      const before = queue.greenOnTip.filter((each) => each !== number)
      return () => void (queue.greenOnTip = before)
    })}
  cancelled-during-its-merge (13): A cancel takes effect while the code host performs the merge.
    ${reading(
      'cancelPullRequest',
      withPhases(['passed'], () => ({ merging: null })),
    )}
  cancel-waits-for-the-batch (937): A cancel of any member is stored while the code host merges one of its batch.
    ${reading('cancelPullRequest', (queue, command) => {
      const number = command?.type === 'cancelPullRequest' ? command.number : 0
      return withPhases(['passed'], ({ merging }, { members }) =>
        merging !== null && members.includes(number) ? { merging: number } : {},
      )(queue)
    })}
  refusal-ignored (5): A merge that the code host refused counts as done.
    ${hearing('finishMerge', (command) => ({ ...command, refused: null }))}
  moved-branch-counts-as-a-refusal (16): A merge for which the target branch had moved makes the pull request FAILED.
    ${hearing('finishMerge', (command) =>
      command.refused === moved ? { ...command, refused: 'GITHUB_API_MERGE_PR_FAILED' } : command,
    )}
  moved-branch-keeps-the-verdict (16): After the target branch has moved during a merge, the old verdict still counts.
    ${refusing(
      (refused) => refused === moved,
      ({ type }) => type === 'mergeRefused',
    )}
  moved-branch-concerns-one-group (16): After the target branch has moved during a merge, only the group that was merging is tested again, unless the push is reported.
    ${after('mergeRequested', ({ groups }, { group: id }) => {
      const group = groups[id]
      if (group?.phase.kind === 'passed') group.phase = { ...group.phase, pushedTo: true }
    })}
  commit-without-a-merge (2): The first commit of a batch lands twice.
    ${altering('tipMoved', (event, { tip }) =>
      event.number === null || tip.number !== 0 ? {} : [event, { ...event, tip: event.tip + 1 }],
    )}
  survivors-on-a-moved-tip (8): Survivors of a bisection merge although the branch has moved since.
    ${reading(
      'mergeSurvivors',
      withBisections(() => ({ isTipMoved: false })),
    )}
  survivors-past-the-line (2): Survivors of a bisection merge although groups in the line are based on the tip.
    ${reading(
      'mergeSurvivors',
      withoutGroups((group) => group?.provenBy === null),
    )}
  survivors-past-an-urgent-one (475): Survivors of a bisection merge ahead of an urgent pull request that waits for a run.
    ${reading(
      'mergeSurvivors',
      withoutGroups((group) => group?.urgent === true && group.phase.kind === 'waiting'),
    )}
  survivors-never-merge-at-once (9): Survivors of a bisection always return to the line to be tested again.
    ${without('mergeSurvivors')}
  paused-starts-runs (6): A PAUSED queue still starts runs.
    ${reading(['startWaiting', 'startBisectionRuns', 'formGroup'], asRunning('PAUSED'))}
  paused-merges (3): A PAUSED queue still merges.
    ${reading('merge', asRunning('PAUSED'))}
  paused-in-mid-batch (801): A PAUSED queue does not finish a batch of which the first member has merged.
    ${reading('merge', (queue) =>
      queue.state === 'PAUSED' ? withPhases(['passed'], () => ({ begun: false }))(queue) : {},
    )}
  draining-starts-new-groups (18): A DRAINING queue still takes pull requests into the line.
    ${reading('formGroup', asRunning('DRAINING'))}
  draining-admits (6): A pull request that is submitted to a DRAINING queue becomes PENDING at once.
    ${reading('submitPullRequest', asRunning('DRAINING'))}
  objection-ignored (18): A pull request that the code host reports as not mergeable enters the line.
    ${applying('pullRequestReported', ({ mergeable }) =>
      mergeable === false ? { mergeable: true } : {},
    )}
  switch-never-ends (5): The queue stays in SWITCHING_MODES after the line has become empty.
    ${without('switchMode')}
  left-behind-in-the-line (1): A group stays in the line after its last member has merged.
    ${altering('groupLeft', ({ group }, { groups }) =>
      groups[group]?.phase.kind === 'passed' ? null : {},
    )}
`

/** Defects of what a code host does with real branches: builds that fail, and pushes of groups. */
export const hostingDefects = catalogue`
  unbuildable-starts-again (6): Every second run that git cannot build is started again.
    ${hearing('reportUnbuildable', (command, { testRuns }) => {
      // Not every one: a loop without an end would make the search for the defect slow.
      if (command.testRun % 2 !== 0) return command
      const [number = 0] = testRuns[command.testRun]?.tested ?? []
      return { type: 'restartTests', number }
    })}
  unbuildable-counts-as-failed (6): A run that git cannot build counts as one in which tests failed.
    ${hearing('reportUnbuildable', ({ testRun }) => {
      return { type: 'finishTestRun', testRun, outcome: 'failed' }
    })}
  found-conflict-fails-at-once (6): A conflict that a build has found is final, although the other one has not merged.
    ${hearing('reportUnbuildable', (command) => ({ ...command, conflictsWith: 'tip' }))}
  push-lands-only-the-first (2): Of a group that has landed in one push only the first member becomes MERGED.
    ${hearing('finishMerge', ({ numbers: _numbers, ...command }) => command)}
  part-of-a-push-lands-all (143): If only the first members of a group have landed, all of them become MERGED.
    ${hearing('finishMerge', (command, { pullRequests, groups }) => {
      const home = pullRequests[command.number]?.home
      const group = home?.in === 'group' ? groups[home.group] : undefined
      const numbers = group && command.refused === null ? [...beingMerged(group)] : []
      return numbers.length > 1 ? { ...command, numbers } : command
    })}
  refused-push-keeps-the-verdict (5): If the code host refuses a push because of one member, the others merge untested.
    ${refusing(
      () => true,
      (event) =>
        event.type !== 'groupRestarted' &&
        !(event.type === 'pullRequestMoved' && event.to === 'PENDING'),
    )}
  host-attached-in-mid-work (7): A queue gets a code host while groups are in its line.
    ${reading('attachHost', nothingInWork)}
  attached-host-not-asked (134): A queue that gets a code host later still merges without it.
    ${after('hostAttached', (queue) => void (queue.codeHost = 'merges at once'))}
`
