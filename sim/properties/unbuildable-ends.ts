import type { EventOf, GroupId, TestRun } from '../../engine/index.ts'
import type { Content } from '../ledger/composition.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/** Two contents that git could not put on one branch, the later one first. */
type Found = { readonly number: Content; readonly conflictsWith: Content }

/**
 * Rules: E-215 to E-217. A conflict that a build has found is known from then on: the run is over, and
 * does not begin again. The queue never merges both. A person may.
 */
export const unbuildableEnds: Property = {
  name: 'unbuildable-ends',
  sentence:
    'A run whose branch git cannot build ends without a verdict, its composition is not tested again unless something else restarts the group, and of two that cannot be on one branch the queue merges at most one.',
  watch({ check, ledger }) {
    const { branch, runs } = ledger
    const found: Found[] = []
    /** Found to conflict with the branch as it was. */
    const foundOnTip = new Set<Content>()
    const merged = new Set<Content>()
    /** The run that the current command says cannot be built. */
    let unbuildable: TestRun | null = null
    /** The group that waits since this command, because of what was found. */
    let apart: GroupId | null = null

    const learn = ({ step: { command } }: Point): void => {
      unbuildable = null
      apart = null
      if (command.type !== 'reportUnbuildable') return
      const { testRun, number, conflictsWith } = command
      unbuildable = runs.find(testRun)?.run ?? null
      const content = branch.contentOf(number)
      if (conflictsWith === 'tip') foundOnTip.add(content)
      else found.push({ number: content, conflictsWith: branch.contentOf(conflictsWith) })
    }
    const rivalOf = (content: Content): Content | undefined => {
      const rivals = found.flatMap(({ number, conflictsWith }) => {
        if (number === content) return [conflictsWith]
        return conflictsWith === content ? [number] : []
      })
      return rivals.find((rival) => merged.has(rival))
    }
    const mergeByQueue = ({ number }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const content = branch.contentOf(number)
      check(!foundOnTip.has(content) && rivalOf(content) === undefined, point, () => ({
        story: `Pull request ${number} merged at ${minute(point.at)}, although git could not put it on the branch.`,
        pullRequests: [number],
      }))
    }
    const isSameAs = ({ base, tested, tip }: TestRun, run: TestRun): boolean =>
      tip === run.tip && String([...base, ...tested]) === String([...run.base, ...run.tested])

    return {
      isActive: () => found.length > 0 || foundOnTip.size > 0,
      atCommand: learn,
      on: {
        // Something else restarts it, for example new targets of the other one: it is built anew.
        groupConflicted: ({ group }) => void (apart = group),
        groupRestarted({ group }) {
          if (group === apart) unbuildable = null
        },
        testRunStarted({ run }, point) {
          const before = unbuildable
          if (!before) return
          check(!isSameAs(run, before), point, () => ({
            story: `Run ${run.id} started at ${minute(point.at)} with the same composition as run ${before.id}, which git could not build.`,
            pullRequests: run.tested,
          }))
        },
        testRunFinished({ testRun }, point) {
          check(testRun !== unbuildable?.id, point, () => ({
            story: `Run ${testRun} has a verdict at ${minute(point.at)}, but git could not build it.`,
            pullRequests: unbuildable?.tested ?? [],
          }))
        },
        pullRequestEnded(event, point) {
          if (event.reason === 'MERGE_GRAPH_MERGE') mergeByQueue(event, point)
          if (event.to === 'MERGED') merged.add(branch.contentOf(event.number))
        },
      },
      atRest(point) {
        const run = unbuildable
        if (!run) return
        check(!runs.underWay.has(run.id), point, () => ({
          story: `Run ${run.id} is under way after ${minute(point.at)}, although git cannot build it.`,
          pullRequests: run.tested,
        }))
      },
    }
  },
}
