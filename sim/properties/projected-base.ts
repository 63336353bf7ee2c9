import type { TestRun } from '../../engine/index.ts'
import type { Ledger } from './model/ledger.ts'
import { numbersBelow } from './model/predecessors.ts'
import { isSame } from './model/same.ts'
import type { Property } from './property.ts'
import { listed } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/** What a run should be made of. */
type Projection = {
  readonly tip: number
  readonly base: readonly number[]
  /** Whether it may speak for these. */
  readonly admits: (tested: readonly number[]) => boolean
}

/**
 * Spec, "Order and starting" (predictive testing) and "Bisection" (pinned). A main run is the tip,
 * every unmerged group ahead that it depends on, and its group. A bisection's run is the pinned
 * tip, what is proven, and a prefix of what is open.
 */
export const projectedBase: Property = {
  name: 'projected-base',
  sentence:
    'Every run is made on the branch as it is and the unmerged predecessors in order; a bisection’s on its pinned tip and what is proven.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    return watcher(setting, {
      on: {
        testRunStarted({ run }, seen) {
          const projection = projectionOf(books, run)
          const holds =
            projection !== null &&
            run.tip === projection.tip &&
            isSame(run.base, projection.base) &&
            projection.admits(run.tested)
          judge(holds, seen, () => ({
            story: storyOf(run, projection),
            pullRequests: [...run.base, ...run.tested],
          }))
        },
      },
    })
  },
}

function projectionOf(books: Ledger, { owner }: TestRun): Projection | null {
  if (owner.kind === 'bisection') {
    const bisected = books.bisections.all.get(owner.bisection)
    if (!bisected) return null
    const { tip, handedOver, proven, open } = bisected
    const admits = (tested: readonly number[]): boolean =>
      tested.length > 0 && isSame(tested, open.slice(0, tested.length))
    return { tip, base: [...handedOver, ...proven], admits }
  }
  const own = books.line.group(owner.group)
  if (!own) return null
  return {
    tip: books.branch.number,
    base: numbersBelow(books.line.groups, own),
    admits: (tested) => isSame(tested, own.members),
  }
}

function storyOf(run: TestRun, projection: Projection | null): string {
  const made = `Run ${run.id} tests ${listed(run.tested)} on ${listed(run.base)} at tip ${run.tip}`
  if (!projection) return `${made} for a group or bisection that is not there.`
  const { tip, base } = projection
  return `${made}, where the projected state is ${listed(base)} on tip ${tip}.`
}
