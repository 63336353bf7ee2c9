import type { EventOf, GroupId, TestRunId } from '../../engine/index.ts'
import { testsAPrefix } from '../ledger/bisections.ts'
import type { Content } from '../ledger/composition.ts'
import { hasBegunToMerge, type LineGroup } from '../ledger/line-group.ts'
import { isStillProjected } from '../ledger/projected-state.ts'
import type { Projections } from '../ledger/ledger.ts'
import { isSameList, shareTarget, union, type TargetSet } from '../ledger/targets.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/** The events of a command that justify a restart, apart from a changed composition. */
type RestartReasons = {
  /** Left without being merged by the queue, left out by those behind, or moved to a bisection. */
  readonly gone: Set<Content>
  /** Merged by hand: never part of what a bisection has pinned. */
  readonly mergedByHand: Set<Content>
  readonly refused: Set<GroupId>
  /**
   * Groups whose base was extended in this command: by an urgent group, by a group with new
   * targets, by a group that had been left out for a conflict.
   */
  readonly interrupted: Set<GroupId>
  /** Groups that the run of another group has cleared. */
  readonly cleared: Set<GroupId>
  readonly errored: Set<GroupId>
}

/** Work that was discarded: a run in progress, or a verdict. */
type DiscardedWork = {
  readonly record: RunRecord | undefined
  readonly group: GroupId | null
  /** The pull requests that it was for. */
  readonly members: readonly number[]
  readonly what: () => string
  readonly point: Point
}

/**
 * Rules: E-84, E-85, E-118, E-143. Work that a command discards is compared with the events of the same command.
 * Survivors that return from a bisection justify nothing: no group in the line restarts for them.
 */
export const noNeedlessRestart: Property = {
  name: 'no-needless-restart',
  sentence:
    'No run is cancelled or repeated unless its composition changed, a restart was requested, it errored, or a successor cleared its group; a requested restart repeats every run of a bisection that it is about.',
  watch({ check, ledger }) {
    /** Null: most commands give no grounds. */
    let reasons: RestartReasons | null = null
    let losses: DiscardedWork[] = []
    const currentReasons = (): RestartReasons => (reasons ??= noReasons())

    const hasChanged = ({ record, group: id }: DiscardedWork): boolean => {
      const { gone, mergedByHand } = currentReasons()
      if (record?.contents.some((content) => gone.has(content)) === true) return true
      if (id === null) return record?.contents.some((each) => mergedByHand.has(each)) === true
      const group = ledger.line.group(id)
      // The group has left the line.
      if (!group) return true
      return record !== undefined && !isStillProjected(ledger, group, record)
    }
    const isJustified = (discarded: DiscardedWork): boolean => {
      if (hasChanged(discarded) || isRequested(discarded)) return true
      const { refused, errored, cleared, interrupted } = currentReasons()
      const { group } = discarded
      return group !== null && [refused, errored, cleared, interrupted].some((is) => is.has(group))
    }
    const cancelRun = ({ testRun, cause }: EventOf<'testRunCancelled'>, point: Point): void => {
      const record = ledger.runs.find(testRun)
      const run = record?.run
      const group = run?.owner.kind === 'main' ? run.owner.group : null
      const members = run?.tested ?? []
      const what = (): string => `run ${testRun} was cancelled (${cause})`
      losses.push({ record, group, members, what, point })
    }
    const restart = ({ group, reason }: EventOf<'groupRestarted'>, point: Point): void => {
      const { run = null, members = [], status } = ledger.line.group(group) ?? {}
      // A group with a text conflict has no run.
      if (status === 'conflicted') {
        comesIn(members, indexOf(group, ledger.line.groups))
        return
      }
      const record = ledger.runs.find(run?.id ?? lostRunOf.get(group) ?? null)
      const what = (): string => `group ${group} of ${pullRequests(members)} restarted (${reason})`
      losses.push({ record, group, members, what, point })
    }
    /** For each group that waits to repeat a lost run, that run. */
    const lostRunOf = new Map<GroupId, TestRunId>()
    const finish = (testRun: TestRunId, outcome: string): void => {
      const run = ledger.runs.underWay.get(testRun)?.run
      if (run?.owner.kind !== 'main') return
      if (outcome === 'errored') {
        currentReasons().errored.add(run.owner.group)
        lostRunOf.set(run.owner.group, testRun)
      } else lostRunOf.delete(run.owner.group)
    }
    const leave = (numbers: readonly number[], into: Set<Content>): void => {
      for (const content of ledger.branch.contentsOf(numbers)) into.add(content)
    }
    const comesIn = (members: readonly number[], index: number): void => {
      const touched = [ledger.targets.of(members)]
      const below = [...members]
      for (const group of ledger.line.groups.slice(index)) {
        const isOnTop = below.some((number) => group.run?.base.includes(number))
        const shares = touched.some((each) => shareTarget(each, group.touched))
        if (!isOnTop && !shares) continue
        touched.push(group.touched)
        below.push(...group.members)
        currentReasons().interrupted.add(group.id)
      }
    }

    const widen = (event: EventOf<'impactedTargetsSet'>): void => {
      const recordOf = ({ id, run }: LineGroup): RunRecord | undefined =>
        ledger.runs.find(run?.id ?? lostRunOf.get(id) ?? null)
      for (const id of concernedBy(ledger, event, recordOf)) currentReasons().interrupted.add(id)
    }

    /** The runs of a bisection that a requested restart must repeat. */
    let requested: readonly RunRecord[] = []
    const runsToRepeat = ({ command }: Point['step']): readonly RunRecord[] => {
      if (command.type !== 'restartTests') return []
      const bisectionRecord = ledger.bisections.of(command.number)
      if (!bisectionRecord?.open.includes(command.number)) return []
      const [content] = ledger.branch.contentsOf([command.number])
      return [...ledger.runs.underWay.values()].filter((record) => {
        const { owner } = record.run
        if (owner.kind !== 'bisection' || owner.bisection !== bisectionRecord.id) return false
        if (content === undefined || !record.contents.includes(content)) return false
        return testsAPrefix(bisectionRecord, record.fullComposition)
      })
    }
    const checkRequest = (point: Point): void => {
      for (const { run } of requested) {
        const isRepeated = losses.some(({ record }) => record?.run.id === run.id)
        check(isRepeated, point, () => ({
          story: `At ${minute(point.at)} a restart was requested, but run ${run.id} goes on.`,
          pullRequests: run.tested,
        }))
      }
    }

    return {
      atCommand({ step }) {
        requested = runsToRepeat(step)
      },
      on: {
        testRunCancelled: cancelRun,
        groupRestarted: restart,
        testRunFinished: ({ testRun, outcome }) => finish(testRun, outcome),
        groupLeft: ({ group }) => void lostRunOf.delete(group),
        pullRequestEnded({ number, to, reason }) {
          if (to === 'FAILED' || to === 'CANCELLED') leave([number], currentReasons().gone)
          if (reason === 'MANUAL_MERGE') leave([number], currentReasons().mergedByHand)
        },
        bisectionStarted: ({ members }) => leave(members, currentReasons().gone),
        groupConflicted({ group }) {
          leave(ledger.line.group(group)?.members ?? [], currentReasons().gone)
        },
        groupFailed({ group, aside }) {
          if (aside) leave(ledger.line.group(group)?.members ?? [], currentReasons().gone)
        },
        mergeRefused: ({ group }) => void currentReasons().refused.add(group),
        groupPlaced(event) {
          if (event.cause === 'urgent') comesIn(event.members, event.index)
        },
        groupMoved({ group }, { step }) {
          if (step.command.type !== 'setImpactedTargets') return
          leave(ledger.line.group(group)?.members ?? [], currentReasons().gone)
        },
        impactedTargetsSet: widen,
        groupPassed({ group, run }) {
          const isOwn = run.owner.kind === 'main' && run.owner.group === group
          if (!isOwn) currentReasons().cleared.add(group)
        },
      },
      atRest(point) {
        if (requested.length > 0) checkRequest(point)
        for (const discarded of losses) {
          check(isJustified(discarded), discarded.point, () => ({
            story: `At ${minute(discarded.point.at)} ${discarded.what()}, although nothing in its composition had changed.`,
            pullRequests: discarded.record?.run.tested ?? [],
          }))
        }
        if (losses.length > 0) losses = []
        reasons = null
      },
    }
  },
}

/**
 * The groups that may restart because of an upload. What has merged beside its run may have a target
 * that is uploaded for the group. Those on top of it restart with it. If it merges already, those that
 * share a target wait for it.
 */
function concernedBy(
  ledger: Projections,
  { number, targets }: EventOf<'impactedTargetsSet'>,
  recordOf: (group: LineGroup) => RunRecord | undefined,
): GroupId[] {
  const group = ledger.line.groupOf(number)
  if (!group) return []
  const touched = union(group.touched, targets === 'ALL' ? targets : new Set(targets))
  if (isSameList(touched, group.touched)) return []
  const own = ledger.branch.contentsOf(group.members)
  const isConcerned = (each: LineGroup): boolean => {
    if (hasBegunToMerge(group) && shareTarget(each.touched, touched)) return true
    const record = recordOf(each)
    const at = record?.contents.findIndex((content) => own.includes(content)) ?? -1
    if (!record || at === -1) return false
    return each !== group || hasLandedBeside(ledger, record, at, touched)
  }
  return ledger.line.groups.filter(isConcerned).map(({ id }) => id)
}

/** Whether something has landed that shares one of these targets and is not below that place in the run. */
function hasLandedBeside(
  { history }: Projections,
  { run, contents }: RunRecord,
  place: number,
  targets: TargetSet,
): boolean {
  const below = new Set(contents.slice(0, place))
  return history
    .since(run.tip)
    .some(({ content, uploaded }) => !below.has(content) && shareTarget(uploaded, targets))
}

const indexOf = (id: GroupId, groups: readonly LineGroup[]): number =>
  groups.findIndex((each) => each.id === id)

function noReasons(): RestartReasons {
  return {
    gone: new Set(),
    mergedByHand: new Set(),
    refused: new Set(),
    interrupted: new Set(),
    cleared: new Set(),
    errored: new Set(),
  }
}

/** Whether a person has asked for the restart that discards this run or verdict. */
function isRequested({ record, group, members, point: { step } }: DiscardedWork): boolean {
  const { command } = step
  if (command.type !== 'restartTests') return false
  // In the line only its own group is tested again; in a bisection every run that holds it.
  const { number } = command
  const { base = [], tested = [] } = record?.run ?? {}
  if (tested.includes(number) || members.includes(number)) return true
  return group === null && base.includes(number)
}
