import type { EventOf, GroupId, TestRunId } from '../../engine/index.ts'
import type { Content } from './model/composition.ts'
import { isStillProjected } from './model/projection.ts'
import { shareTarget } from './model/targets.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/** What happened in a command that entitles to a restart, beside a composition that changed. */
type Grounds = {
  /** Left without being merged by the queue, or left the line to be bisected. */
  readonly gone: Set<Content>
  /** Merged by hand: in its turn for the line, never for a bisection. */
  readonly mergedByHand: Set<Content>
  readonly refused: Set<GroupId>
  /**
   * Groups below which something came in that they did not hold, whatever became of it: an urgent
   * one, one that takes new targets, one that was left out for a conflict and is back.
   */
  readonly interrupted: Set<GroupId>
  /** Groups that a passing run of another group has cleared. */
  readonly cleared: Set<GroupId>
  readonly errored: Set<GroupId>
}

/** Something that was thrown away: a run under way, or a verdict. */
type Loss = {
  readonly record: RunRecord | undefined
  readonly group: GroupId | null
  /** Whose it was. */
  readonly members: readonly number[]
  readonly what: () => string
  readonly seen: Seen
}

/**
 * Spec, safety 13. What is thrown away in a command is set against what happened in the same
 * command. Survivors that return are no ground: nothing in the line restarts for them.
 */
export const noNeedlessRestart: Property = {
  name: 'no-needless-restart',
  sentence:
    'No run is cancelled or repeated unless its composition changed, somebody asked, it errored, or a successor cleared its group.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    /** Most commands give none. */
    let given: Grounds | null = null
    let losses: Loss[] = []
    const grounds = (): Grounds => (given ??= noGrounds())

    const isOrdered = ({ record, group, members, seen: { moment } }: Loss): boolean => {
      const { command } = moment
      if (command.type !== 'restartTests') return false
      // In the line nobody else is tested anew; in a bisection whatever holds it is.
      const { number } = command
      const { base = [], tested = [] } = record?.run ?? {}
      if (tested.includes(number) || members.includes(number)) return true
      return group === null && base.includes(number)
    }
    const hasChanged = ({ record, group: id }: Loss): boolean => {
      const { gone, mergedByHand } = grounds()
      if (record?.contents.some((content) => gone.has(content)) === true) return true
      if (id === null) return record?.contents.some((each) => mergedByHand.has(each)) === true
      const group = books.line.group(id)
      // Of a group that is gone nobody is left to be tested.
      if (!group) return true
      return record !== undefined && !isStillProjected(books, group, record)
    }
    const isJustified = (loss: Loss): boolean => {
      if (hasChanged(loss) || isOrdered(loss)) return true
      const { refused, errored, cleared, interrupted } = grounds()
      const { group } = loss
      return group !== null && [refused, errored, cleared, interrupted].some((is) => is.has(group))
    }
    const cancelRun = ({ testRun, cause }: EventOf<'testRunCancelled'>, seen: Seen): void => {
      const record = books.runs.find(testRun)
      const run = record?.run
      const group = run?.owner.kind === 'main' ? run.owner.group : null
      const members = run?.tested ?? []
      const what = (): string => `run ${testRun} was cancelled (${cause})`
      losses.push({ record, group, members, what, seen })
    }
    const restart = ({ group, reason }: EventOf<'groupRestarted'>, seen: Seen): void => {
      const { run = null, members = [], stand } = books.line.group(group) ?? {}
      // One that could not be built has no run to lose.
      if (stand === 'conflicted') {
        comesIn(members, placeOf(group))
        return
      }
      const record = books.runs.find(run?.id ?? lostRunOf.get(group) ?? null)
      const what = (): string => `group ${group} of ${pullRequests(members)} restarted (${reason})`
      losses.push({ record, group, members, what, seen })
    }
    /** While a group waits to repeat a run that was lost, what that run tested counts. */
    const lostRunOf = new Map<GroupId, TestRunId>()
    const finish = (testRun: TestRunId, outcome: string): void => {
      const run = books.runs.underWay.get(testRun)?.run
      if (run?.owner.kind !== 'main') return
      if (outcome === 'errored') {
        grounds().errored.add(run.owner.group)
        lostRunOf.set(run.owner.group, testRun)
      } else lostRunOf.delete(run.owner.group)
    }
    const leave = (numbers: readonly number[], into: Set<Content>): void => {
      for (const content of books.branch.contentsOf(numbers)) into.add(content)
    }
    const placeOf = (id: GroupId): number => books.line.groups.findIndex((each) => each.id === id)
    const comesIn = (members: readonly number[], place: number): void => {
      const touched = [books.targets.of(members)]
      const below = [...members]
      for (const group of books.line.groups.slice(place)) {
        const isOnTop = below.some((number) => group.run?.base.includes(number))
        const shares = touched.some((each) => shareTarget(each, group.touched))
        if (!isOnTop && !shares) continue
        touched.push(group.touched)
        below.push(...group.members)
        grounds().interrupted.add(group.id)
      }
    }

    return watcher(setting, {
      on: {
        testRunCancelled: cancelRun,
        groupRestarted: restart,
        testRunFinished: ({ testRun, outcome }) => finish(testRun, outcome),
        groupLeft: ({ group }) => void lostRunOf.delete(group),
        pullRequestEnded({ number, to, reason }) {
          if (to === 'FAILED' || to === 'CANCELLED') leave([number], grounds().gone)
          if (reason === 'MANUAL_MERGE') leave([number], grounds().mergedByHand)
        },
        bisectionStarted: ({ members }) => leave(members, grounds().gone),
        mergeRefused: ({ group }) => void grounds().refused.add(group),
        groupPlaced(event) {
          if (event.cause === 'urgent') comesIn(event.members, event.index)
        },
        groupLinked({ group }) {
          comesIn(books.line.group(group)?.members ?? [], placeOf(group))
        },
        groupPassed({ group, run }) {
          const isOwn = run.owner.kind === 'main' && run.owner.group === group
          if (!isOwn) grounds().cleared.add(group)
        },
      },
      atRest() {
        for (const loss of losses) {
          judge(isJustified(loss), loss.seen, () => ({
            story: `At ${minute(loss.seen.at)} ${loss.what()}, and nothing in its composition had changed.`,
            pullRequests: loss.record?.run.tested ?? [],
          }))
        }
        if (losses.length > 0) losses = []
        given = null
      },
    })
  },
}

function noGrounds(): Grounds {
  return {
    gone: new Set(),
    mergedByHand: new Set(),
    refused: new Set(),
    interrupted: new Set(),
    cleared: new Set(),
    errored: new Set(),
  }
}
