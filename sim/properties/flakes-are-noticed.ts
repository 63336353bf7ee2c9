import { testKey, type BisectionId, type TestRunId } from '../../engine/index.ts'
import type { Verdict } from '../ledger/verdicts.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, runs } from './wording.ts'

/**
 * Rules: E-81, E-82, E-86, E-181. A failure is a flake when the same composition passed within the last 100
 * verdicts, whichever came first. A test that failed in one of two such runs is known to flake.
 */
export const flakesAreNoticed: Property = {
  name: 'flakes-are-noticed',
  sentence:
    'A failure counts as a flake when the same passed within the last 100 verdicts, or a successor cleared it, and not else; known to flake are the tests that failed in one of two such runs; while more than 1 % are flakes, nobody is FAILED by elimination alone.',
  watch({ check, ledger }) {
    const contradicted = new Set<TestRunId>()
    const known = new Set<string>()
    /** Bisections that have convicted a member, or that a member has left. */
    const diminished = new Set<BisectionId>()
    /** Of the current command. */
    let verdict: Verdict | null = null
    let earlier: readonly Verdict[] = []
    let seen: string[] = []

    /** The failures that the verdict shows to be flakes: its own, or an earlier one. */
    const flakesOf = (now: Verdict): Verdict[] =>
      earlier.flatMap((other) => {
        if (other.outcome === now.outcome) return []
        return now.outcome === 'failed' ? now : other
      })
    const reviewTests = (point: Point, now: Verdict | null): void => {
      const { command } = point.step
      const named = command.type === 'finishTestRun' ? (command.flakyTests ?? []).map(testKey) : []
      const differing = now ? earlier.flatMap((other) => difference(other, now)) : []
      const missing = [...named, ...differing].find(
        (test) => !seen.includes(test) && !known.has(test),
      )
      check(missing === undefined, point, () => ({
        story: `At ${minute(point.at)} run ${now?.run ?? 0} ended, and the test "${missing ?? ''}" is not known to flake, although it failed in one of two runs of the same.`,
        pullRequests: [],
      }))
      const extra = seen.find((test) => !named.includes(test) && !differing.includes(test))
      check(extra === undefined, point, () => ({
        story: `At ${minute(point.at)} the test "${extra ?? ''}" was said to flake, although no two runs of the same differ in it.`,
        pullRequests: [],
      }))
      for (const test of seen) known.add(test)
    }
    const reviewFlakes = (point: Point, now: Verdict): void => {
      const missing = flakesOf(now).find(({ run }) => !contradicted.has(run))
      check(missing === undefined, point, () => ({
        story: `At ${minute(point.at)} the failure of run ${missing?.run ?? 0} does not count as a flake, although ${runs([now, ...earlier].filter(({ outcome }) => outcome === 'passed').map(({ run }) => run))} passed on the same.`,
        pullRequests: [],
      }))
    }
    /** Whether the run that passes now contains the group that failed in that run. */
    const isCleared = (failure: TestRunId): boolean => {
      const passing = ledger.runs.find(verdict?.run ?? null)
      const members = ledger.runs.find(failure)?.run.tested ?? []
      return (
        verdict?.outcome === 'passed' && members.some((each) => passing?.run.base.includes(each))
      )
    }

    /** Whether the runner lost a confirmation of that run of a batch, so that there is no other. */
    const isConfirmed = (number: number, failedIn: TestRunId | null = null): boolean => {
      const failed = ledger.runs.find(failedIn)
      const home = ledger.bisections.of(number)
      for (const { run, fullComposition, outcome } of home
        ? ledger.runs.ofBisection(home.id)
        : []) {
        const isAgain = fullComposition === failed?.fullComposition && run.id !== failedIn
        if (isAgain && outcome === 'errored') return true
      }
      return false
    }

    // OLD RULE (E-73): a longer prefix that passes contradicts the failure of a shorter one. By the
    // new rule it does not: then drop this function.
    const isMended = (failure: TestRunId): boolean =>
      ledger.runs.find(failure)?.run.owner.kind === 'bisection'

    return {
      atCommand() {
        verdict = null
        earlier = []
        seen = []
      },
      on: {
        testRunFinished(event) {
          verdict = ledger.verdicts.verdictOf(event)
          earlier = verdict ? ledger.verdicts.of(verdict.composition) : []
        },
        verdictContradicted({ testRun, flakyTests }, point) {
          contradicted.add(testRun)
          seen.push(...flakyTests)
          const isFlake = verdict !== null && flakesOf(verdict).some(({ run }) => run === testRun)
          const isTrue = isFlake || isCleared(testRun) || isMended(testRun)
          check(isTrue, point, () => ({
            story: `At ${minute(point.at)} the failure of run ${testRun} counts as a flake, although nothing contradicts it.`,
            pullRequests: ledger.runs.find(testRun)?.run.tested ?? [],
          }))
        },
        pullRequestMoved({ number, reason, evidence }, point) {
          if (reason !== 'TEST_RUN_FAILED_BY_OPTIMIZATION') return
          const { contradictedShare } = ledger.verdicts
          const isFirm = contradictedShare <= flakyShare || isConfirmed(number, evidence?.failedIn)
          check(isFirm, point, () => ({
            story: `At ${minute(point.at)} pull request ${number} FAILED by elimination alone, although ${Math.round(contradictedShare * 1000) / 10} % of the last verdicts were flakes.`,
            pullRequests: [number],
          }))
        },
        pullRequestEnded({ number, to, reason }) {
          if (to === 'MERGED' && reason !== 'MANUAL_MERGE') return
          for (const { id, open, proven, handedOver } of ledger.bisections.all.values()) {
            const isProven = ledger.line.groupOf(number)?.provenBy === id
            const isMember = open.includes(number) || proven.includes(number)
            if (isMember || (isProven && handedOver.includes(number))) diminished.add(id)
          }
        },
        bisectionEnded({ bisection, flake }, point) {
          check(flake !== diminished.has(bisection), point, () => ({
            story: `At ${minute(point.at)} bisection ${bisection} ended ${flake ? 'as a flake, although a member was convicted or left' : 'not as a flake, although all members remain'}.`,
            pullRequests: [],
          }))
          diminished.delete(bisection)
        },
        flakyTestsSeen: ({ flakyTests }) => void seen.push(...flakyTests),
      },
      atRest(point) {
        if (seen.length > 0 || earlier.length > 0) reviewTests(point, verdict)
        if (verdict && earlier.length > 0) reviewFlakes(point, verdict)
      },
    }
  },
}

/** In a queue with a larger share of contradicted verdicts, a conviction needs two failures. */
const flakyShare = 0.01

/** The tests that failed in exactly one of the two. */
function difference({ failedTests: some }: Verdict, { failedTests: others }: Verdict): string[] {
  return [
    ...some.filter((test) => !others.includes(test)),
    ...others.filter((test) => !some.includes(test)),
  ]
}
