import { testKey, type BisectionId, type EventOf, type TestName } from '../../engine/index.ts'
import { provenState } from './model/bisections.ts'
import { extend, withOnTop, type Composition } from './model/composition.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { listed } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/** What a bisection has been told about one composition. */
type Known = {
  readonly record: RunRecord
  /** Definitive results, the batch's own included. */
  results: number
  readonly failedTests: readonly TestName[]
}

/**
 * Spec, safety 8 and "Bisection" (cache). A composition is what was pinned, what is proven and
 * the tested prefix, in order. A result may be confirmed by one run: of a failure of the batch
 * itself (elimination), of a timeout or a lost run, of one that was contradicted, and of one in
 * which only tests failed that are known to flake. Runs that errored, or that somebody asked to
 * repeat, gave no result.
 */
export const bisectionNeverRepeats: Property = {
  name: 'bisection-never-repeats',
  sentence:
    'Within a bisection no composition with a definitive result is run again, one confirmation excepted, and a result is reused only for the same composition.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const known = new Map<BisectionId, Map<Composition, Known>>()
    const flaky = new Set<string>()
    const contradicted = new Set<number>()

    /** Whether one confirmation may be asked for, by what is known of flaky tests by now. */
    const isDoubtful = ({ record: { outcome, run }, failedTests }: Known): boolean => {
      if (outcome === 'passed') return false
      if (outcome !== 'failed' || run.owner.kind === 'main') return true
      if (contradicted.has(run.id)) return true
      return failedTests.length > 0 && failedTests.every((test) => flaky.has(testKey(test)))
    }
    const learn = (id: BisectionId, record: RunRecord, failedTests: readonly TestName[]): void => {
      const results = known.get(id)
      const before = results?.get(record.whole)
      results?.set(record.whole, {
        record,
        results: (before?.results ?? 0) + 1,
        failedTests,
      })
    }
    const faultOfStart = ({ run }: EventOf<'testRunStarted'>): string | null => {
      if (run.owner.kind !== 'bisection') return null
      const { bisection: id } = run.owner
      const whole = books.runs.wholeOf(run)
      const before = known.get(id)?.get(whole)
      if (before && (before.results > 1 || !isDoubtful(before))) {
        const { record, results } = before
        return `run ${record.run.id} had ${record.outcome ?? 'no result'} on the same, ${results} known in all`
      }
      for (const other of books.runs.underWay.values()) {
        const { owner } = other.run
        const isSame = owner.kind === 'bisection' && owner.bisection === id && other.whole === whole
        if (isSame) return `run ${other.run.id} was under way on the same`
      }
      return null
    }
    /** A result is of use where it is about what is proven and some of those that come next. */
    const isOfUse = ({ bisection: id, testRun }: EventOf<'testRunSaved'>): boolean => {
      const bisected = books.bisections.all.get(id)
      const record = books.runs.find(testRun)
      if (!bisected || !record || known.get(id)?.get(record.whole) === undefined) return false
      let composition = provenState(bisected)
      if (composition === record.whole) return true
      for (const content of bisected.contentsOf(bisected.open)) {
        composition = withOnTop(composition, content)
        if (composition === record.whole) return true
      }
      return false
    }

    return watcher(setting, {
      on: {
        bisectionStarted({ bisection, group, members }) {
          const batchRun = books.line.group(group)?.run ?? null
          const record = books.runs.find(batchRun?.id ?? null)
          const { composition } = books.branch
          const whole = extend(composition, books.branch.contentsOf(members))
          const own = record && { record, results: 1, failedTests: [] }
          known.set(bisection, new Map(own ? [[whole, own]] : []))
        },
        testRunStarted(event, seen) {
          const { run } = event
          if (run.owner.kind !== 'bisection') return
          const fault = faultOfStart(event)
          judge(fault === null, seen, () => ({
            story: `Run ${run.id} of bisection ${run.owner.kind === 'bisection' ? run.owner.bisection : 0} tests ${listed(run.tested)} on ${listed(run.base)}, and ${fault ?? ''}.`,
            pullRequests: [...run.base, ...run.tested],
          }))
        },
        bisectionVerdictReached({ bisection, run, failedTests }) {
          const record = books.runs.find(run.id)
          if (record) learn(bisection, record, failedTests)
        },
        testRunSaved(event, seen) {
          judge(isOfUse(event), seen, () => ({
            story: `Bisection ${event.bisection} reused the result of run ${event.testRun}, which is not about what it looks for.`,
            pullRequests: books.runs.find(event.testRun)?.run.tested ?? [],
          }))
        },
        verdictContradicted({ testRun, flakyTests }) {
          contradicted.add(testRun)
          for (const test of flakyTests) flaky.add(test)
        },
        flakyTestsSeen({ flakyTests }) {
          for (const test of flakyTests) flaky.add(test)
        },
        bisectionEnded: ({ bisection }) => void known.delete(bisection),
      },
    })
  },
}
