import type { Command, EventOf } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-109, E-208. Somebody who pushes to the target branch during a merge is nobody's failure in the
 * queue: the one that was merging is tested again, unless a cancel of it was stored. What was tested before
 * that answer, or before a report of a push, does not count any more, for whatever else merges.
 */
export const aMovedBranchFailsNobody: Property = {
  name: 'a-moved-branch-fails-nobody',
  sentence:
    'After the code host has answered that the target branch moved, the pull request that it was merging is tested again with the rest of its group, without those that were cancelled meanwhile; nobody is FAILED for it, and nothing merges because of a run from before that answer or before a push, unless the host was merging it then.',
  watch({ check, ledger }) {
    /** The pull requests that are to be tested again because of the current command. */
    const expected = new Set<number>()
    let isJudging = false
    /** The pull requests that were cancelled during their own merge. */
    const cancelled = new Set<number>()
    let commands = 0
    let lastRun = 0
    /** The last run that was started before the branch moved, as far as that is known. */
    let lastBefore = 0
    /** The last command that reported a change of the branch by somebody else. */
    let changedAt = 0
    /** The pull requests that the host was asked to merge and has not answered for, and the command at which it was asked. */
    const asked = new Map<number, number>()
    /** Those of them that it was merging when the branch moved: it decides about these. */
    let leftToHost: ReadonlySet<number> = new Set()
    const isMoved = ({ step: { command } }: Point): boolean =>
      command.type === 'finishMerge' && command.refused === 'TARGET_BRANCH_MOVED'

    const outdateRuns = (): void => {
      changedAt = commands
      lastBefore = lastRun
      leftToHost = new Set(asked.keys())
    }
    const judgeMerge = ({ number, testRun }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const isNew = (testRun ?? 0) > lastBefore || leftToHost.has(number)
      check(isNew, point, () => ({
        story: `Pull request ${number} merged at ${minute(point.at)} because of run ${testRun ?? 0}, which is from before the target branch moved.`,
        pullRequests: [number],
      }))
    }
    const forbidFailure = (event: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { number, evidence, reason } = event
      // What starts now may conflict as text with what has merged.
      const isConflict =
        reason === 'START_TEST_RUN_MERGE_CONFLICT' && ledger.conflicts.of(number).size > 0
      const isOwn = isConflict || evidence?.failedIn !== null
      check(!expected.has(number) && isOwn, point, () => ({
        story: `Pull request ${number} was FAILED at ${minute(point.at)}, because the target branch had moved during a merge.`,
        pullRequests: [number],
      }))
    }

    return {
      atCommand(point) {
        expected.clear()
        isJudging = false
        commands++
        const { command } = point.step
        if (command.type === 'reportManualMerge') changedAt = commands
        const isNews = isMoved(point) && changedAt <= (asked.get(numberOf(command)) ?? 0)
        if (command.type === 'reportPush' || isNews) outdateRuns()
      },
      isActive: () => isJudging || lastBefore > 0,
      on: {
        departureDeferred: ({ number }) => void cancelled.add(number),
        pullRequestSubmitted: ({ number }) => void cancelled.delete(number),
        testRunStarted: ({ run }) => void (lastRun = run.id),
        mergeRequested({ number, numbers = [number] }) {
          for (const each of numbers) asked.set(each, commands)
        },
        pullRequestEnded(event, point) {
          if (event.reason === 'MERGE_GRAPH_MERGE' && lastBefore > 0) judgeMerge(event, point)
          asked.delete(event.number)
          if (event.to === 'FAILED' && isMoved(point)) forbidFailure(event, point)
          cancelled.delete(event.number)
        },
        mergeRefused({ group }, point) {
          const members = ledger.line.group(group)?.members ?? []
          for (const member of members) asked.delete(member)
          leftToHost = new Set([...leftToHost].filter((number) => !members.includes(number)))
          if (!isMoved(point)) return
          isJudging = true
          for (const member of members) expected.add(member)
          for (const number of cancelled) expected.delete(number)
        },
        groupRestarted({ group }) {
          for (const member of ledger.line.group(group)?.members ?? []) expected.delete(member)
        },
      },
      atRest(point) {
        if (!isMoved(point)) return
        check(expected.size === 0, point, () => ({
          story: `At ${minute(point.at)} the target branch had moved, and nobody tests ${pullRequests([...expected])} again.`,
          pullRequests: [...expected],
        }))
      },
    }
  },
}

const numberOf = (command: Command): number => ('number' in command ? command.number : 0)
