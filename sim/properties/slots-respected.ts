import type { Property } from '../observe/property.ts'
import { minute } from './wording.ts'

type RunKind = 'main' | 'bisection'

/**
 * Rules: E-24, E-71. Checked whenever a run starts. A smaller limit stops no run, so more than the
 * limit may be under way, but then no run may start.
 */
export const slotsRespected: Property = {
  name: 'slots-respected',
  sentence:
    'No main run starts beyond concurrency and no bisection run beyond bisectionConcurrency.',
  watch({ check, ledger }) {
    const { settings, runs } = ledger

    const limitOf = (kind: RunKind): number => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      return kind === 'main' ? concurrency : (bisectionConcurrency ?? concurrency)
    }

    return {
      on: {
        testRunStarted({ run }, point) {
          const { kind } = run.owner
          check(!runs.underWay.has(run.id), point, () => ({
            story: `Run ${run.id} was started while it was already under way.`,
            pullRequests: run.tested,
          }))
          const taken = runs.taken[kind] + 1
          const limit = limitOf(kind)
          check(taken <= limit, point, () => ({
            story: `Run ${run.id} started at ${minute(point.at)} as ${kind} run number ${taken} under way, but the limit is ${limit}.`,
            pullRequests: run.tested,
          }))
        },
      },
    }
  },
}
