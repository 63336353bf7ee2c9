import { testKey, type BisectionId, type EventOf, type TestName } from '../../engine/index.ts'
import { provenState } from '../ledger/bisections.ts'
import { extend, withOnTop, type CompositionNode } from '../ledger/composition.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import { listed } from './wording.ts'

/** What a bisection knows about one composition. */
type KnownResult = {
  readonly record: RunRecord
  /** The number of definitive results, that of the batch included. */
  results: number
  readonly failedTests: readonly TestName[]
}

/**
 * Rules: E-78, E-80, E-81, E-202. A composition is the pinned tip, the proven members and the tested
 * prefix, in order. One more run may confirm a result: a failure of the batch itself (elimination),
 * a timeout or a lost run, a failure that was contradicted, and a failure of tests that are all
 * known as flaky. Runs that errored, or whose repetition was requested, gave no result.
 */
export const bisectionNeverRepeats: Property = {
  name: 'bisection-never-repeats',
  sentence:
    'Within a bisection no composition with a definitive result is run again, except for one confirmation or while the odds convict nobody, and a result is reused only for the same composition.',
  watch({ check, ledger }) {
    const known = new Map<BisectionId, Map<CompositionNode, KnownResult>>()
    const flaky = new Set<string>()
    const contradicted = new Set<number>()
    /** Compositions that the odds demanded again, until they have a result. */
    const demanded = new Map<BisectionId, CompositionNode>()

    /** Whether the result may be confirmed once, by what is known of flaky tests so far. */
    const isDoubtful = ({ record: { outcome, run }, failedTests }: KnownResult): boolean => {
      if (outcome === 'passed') return false
      if (outcome !== 'failed' || run.owner.kind === 'main') return true
      if (contradicted.has(run.id)) return true
      return failedTests.length > 0 && failedTests.every((test) => flaky.has(testKey(test)))
    }
    /** Whether the odds are too low to convict the first open member, of which this is the prefix. */
    const isUnsure = (id: BisectionId, whole: CompositionNode): boolean => {
      const bisection = ledger.bisections.all.get(id)
      if (!bisection) return false
      const [first = Number.NaN] = bisection.contentsOf(bisection.open)
      return withOnTop(provenState(bisection), first) === whole && ledger.odds.areLow(bisection)
    }
    const learn = (id: BisectionId, record: RunRecord, failedTests: readonly TestName[]): void => {
      const results = known.get(id)
      if (demanded.get(id) === record.fullComposition) demanded.delete(id)
      const before = results?.get(record.fullComposition)
      results?.set(record.fullComposition, {
        record,
        results: (before?.results ?? 0) + 1,
        failedTests,
      })
    }
    const faultOfStart = ({ run }: EventOf<'testRunStarted'>): string | null => {
      if (run.owner.kind !== 'bisection') return null
      const { bisection: id } = run.owner
      const whole = ledger.runs.fullCompositionOf(run)
      const before = known.get(id)?.get(whole)
      if (isUnsure(id, whole)) demanded.set(id, whole)
      const isDemanded = demanded.get(id) === whole
      if (before && !isDemanded && (before.results > 1 || !isDoubtful(before))) {
        const { record, results } = before
        return `run ${record.run.id} had ${record.outcome ?? 'no result'} on the same (results in all: ${results})`
      }
      for (const other of ledger.runs.underWay.values()) {
        const { owner } = other.run
        const isSame =
          owner.kind === 'bisection' && owner.bisection === id && other.fullComposition === whole
        if (isSame) return `run ${other.run.id} was testing the same`
      }
      return null
    }
    /** A result is useful if it is for the proven members and a prefix of the open ones. */
    const isOfUse = ({ bisection: id, testRun }: EventOf<'testRunSaved'>): boolean => {
      const bisectionRecord = ledger.bisections.all.get(id)
      const record = ledger.runs.find(testRun)
      if (!bisectionRecord || !record || known.get(id)?.get(record.fullComposition) === undefined)
        return false
      let composition = provenState(bisectionRecord)
      if (composition === record.fullComposition) return true
      for (const content of bisectionRecord.contentsOf(bisectionRecord.open)) {
        composition = withOnTop(composition, content)
        if (composition === record.fullComposition) return true
      }
      return false
    }

    return {
      isActive: () => known.size > 0,
      on: {
        bisectionStarted({ bisection, group, members, overtaken }) {
          const batchRun = ledger.line.group(group)?.run ?? null
          const record = ledger.runs.find(batchRun?.id ?? null)
          const { composition } = ledger.branch
          const whole = extend(composition, ledger.branch.contentsOf(members))
          const own = record && { record, results: 1, failedTests: [] }
          known.set(bisection, new Map(own && !overtaken ? [[whole, own]] : []))
        },
        testRunStarted(event, point) {
          const { run } = event
          if (run.owner.kind !== 'bisection') return
          const fault = faultOfStart(event)
          check(fault === null, point, () => ({
            story: `Run ${run.id} of bisection ${run.owner.kind === 'bisection' ? run.owner.bisection : 0} tests ${listed(run.tested)} on ${listed(run.base)}, although ${fault ?? ''}.`,
            pullRequests: [...run.base, ...run.tested],
          }))
        },
        bisectionVerdictReached({ bisection, run, failedTests }) {
          const record = ledger.runs.find(run.id)
          if (record) learn(bisection, record, failedTests)
        },
        testRunSaved(event, point) {
          check(isOfUse(event), point, () => ({
            story: `Bisection ${event.bisection} reused the result of run ${event.testRun}, which is for a composition that it does not need.`,
            pullRequests: ledger.runs.find(event.testRun)?.run.tested ?? [],
          }))
        },
        verdictContradicted({ testRun, flakyTests }) {
          contradicted.add(testRun)
          for (const test of flakyTests) flaky.add(test)
        },
        flakyTestsSeen({ flakyTests }) {
          for (const test of flakyTests) flaky.add(test)
        },
        bisectionEnded({ bisection }) {
          known.delete(bisection)
          demanded.delete(bisection)
        },
      },
    }
  },
}
