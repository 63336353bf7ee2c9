import type { Property } from './property.ts'
import { minute } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

type Kind = 'main' | 'bisection'

/**
 * Spec, safety 4. Looked at whenever a run starts: a smaller limit stops nothing that runs, so
 * more than the limit may be under way, but nothing may start then.
 */
export const slotsRespected: Property = {
  name: 'slots-respected',
  sentence:
    'No main run starts beyond concurrency and no bisection run beyond bisectionConcurrency.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const { settings } = booksOf(setting)
    const underWay = new Map<number, Kind>()
    const count = { main: 0, bisection: 0 }

    const limitOf = (kind: Kind): number => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      return kind === 'main' ? concurrency : (bisectionConcurrency ?? concurrency)
    }
    const end = (testRun: number): void => {
      const kind = underWay.get(testRun)
      if (kind === undefined) return
      underWay.delete(testRun)
      count[kind]--
    }

    return watcher(setting, {
      on: {
        testRunStarted({ run }, seen) {
          const { kind } = run.owner
          judge(!underWay.has(run.id), seen, () => ({
            story: `Run ${run.id} was started while it was under way.`,
            pullRequests: run.tested,
          }))
          underWay.set(run.id, kind)
          count[kind]++
          const limit = limitOf(kind)
          judge(count[kind] <= limit, seen, () => ({
            story: `Run ${run.id} started at ${minute(seen.at)} as ${kind} run number ${count[kind]} under way, where ${limit} may be.`,
            pullRequests: run.tested,
          }))
        },
        testRunFinished: ({ testRun }) => end(testRun),
        testRunCancelled: ({ testRun }) => end(testRun),
      },
    })
  },
}
