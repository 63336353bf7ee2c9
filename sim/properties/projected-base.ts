import type { TestRun } from '../../engine/index.ts'
import type { Projections } from '../ledger/ledger.ts'
import { numbersBelow } from '../ledger/predecessors.ts'
import { isSame } from '../ledger/same.ts'
import type { Property } from '../observe/property.ts'
import { listed } from './wording.ts'

/** The expected contents of a run. */
type ProjectedBase = {
  readonly tip: number
  readonly base: readonly number[]
  /** Whether the run may test these. */
  readonly admits: (tested: readonly number[]) => boolean
}

/**
 * Rules: E-12, E-72, E-189. A main run is made of the tip, every unmerged group ahead that its group
 * depends on, and its group; a screening run of the tip and its group. A bisection's run is made of the pinned tip, the proven members, and a
 * prefix of the open ones.
 */
export const projectedBase: Property = {
  name: 'projected-base',
  sentence:
    'Every main run is made on the current tip and the unmerged predecessors in order; every run of a bisection on its pinned tip and the proven members.',
  watch({ check, ledger }) {
    return {
      on: {
        testRunStarted({ run }, point) {
          const projection = projectedBaseOf(ledger, run)
          const holds =
            projection !== null &&
            run.tip === projection.tip &&
            isSame(run.base, projection.base) &&
            projection.admits(run.tested)
          check(holds, point, () => ({
            story: storyOf(run, projection),
            pullRequests: [...run.base, ...run.tested],
          }))
        },
      },
    }
  },
}

function projectedBaseOf(ledger: Projections, { owner, screening }: TestRun): ProjectedBase | null {
  if (owner.kind === 'bisection') {
    const bisectionRecord = ledger.bisections.all.get(owner.bisection)
    if (!bisectionRecord) return null
    const { tip, handedOver, proven, open } = bisectionRecord
    const admits = (tested: readonly number[]): boolean =>
      tested.length > 0 && isSame(tested, open.slice(0, tested.length))
    return { tip, base: [...handedOver, ...proven], admits }
  }
  const own = ledger.line.group(owner.group)
  if (!own) return null
  return {
    tip: ledger.branch.number,
    base: screening ? [] : numbersBelow(ledger.line.groups, own),
    admits: (tested) => isSame(tested, own.members),
  }
}

function storyOf(run: TestRun, projection: ProjectedBase | null): string {
  const made = `Run ${run.id} tests ${listed(run.tested)} on ${listed(run.base)} at tip ${run.tip}`
  if (!projection) return `${made} for a group or bisection that does not exist.`
  const { tip, base } = projection
  return `${made}, but the projected state is ${listed(base)} on tip ${tip}.`
}
