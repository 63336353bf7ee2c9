import { testKey, type BisectionId, type EventOf, type TestRunId } from '../../engine/index.ts'
import type { Verdict } from '../ledger/verdicts.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/**
 * Rules: E-81, E-82, E-86, E-181. Both sides: which tests are known to flake, and what follows from many
 * flakes. Which failures are contradicted is checked by `flakes-are-shown`.
 */
export const flakyTestsAreNoticed: Property = {
  name: 'flaky-tests-are-noticed',
  sentence:
    'Known to flake are the tests that failed in one of two runs of the same composition, and no others; while more than 1 % of the verdicts are contradicted, nobody is FAILED by elimination alone; a bisection ends as a flake if and only if it convicted nobody and nobody left it.',
  watch({ check, ledger }) {
    const known = new Set<string>()
    /** Bisections that have convicted a member, or that a member has left. */
    const diminished = new Set<BisectionId>()
    /** Of the current command. */
    let verdict: Verdict | null = null
    let earlier = none
    let seen: string[] = []

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

    const convict = ({ number, evidence }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { contradictedShare } = ledger.verdicts
      const isFirm = contradictedShare <= flakyShare || isConfirmed(number, evidence?.failedIn)
      check(isFirm, point, () => ({
        story: `At ${minute(point.at)} pull request ${number} FAILED by elimination alone, although ${Math.round(contradictedShare * 1000) / 10} % of the last verdicts were flakes.`,
        pullRequests: [number],
      }))
    }
    const diminish = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
      if (to === 'MERGED' && reason !== 'MANUAL_MERGE') return
      for (const { id, open, proven, handedOver } of ledger.bisections.all.values()) {
        const isIn = (members: readonly number[]): boolean => members.includes(number)
        if ([open, proven, handedOver].some(isIn)) diminished.add(id)
      }
    }

    return {
      atCommand() {
        verdict = null
        earlier = none
        if (seen.length > 0) seen = []
      },
      on: {
        testRunFinished(event) {
          const given = ledger.verdicts.verdictOf(event)
          // Others may time out in the same command, without a verdict.
          if (!given) return
          verdict = given
          // A copy: this verdict may push the earliest of them out of the memory.
          earlier = [...ledger.verdicts.of(given.composition)]
        },
        verdictContradicted: ({ flakyTests }) => void seen.push(...flakyTests),
        pullRequestEnded(event, point) {
          if (event.reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION') convict(event, point)
          diminish(event)
        },
        bisectionEnded({ bisection, flake }, point) {
          // It is given up, because the branch fails by itself (E-235).
          const isGivenUp = (ledger.bisections.all.get(bisection)?.open.length ?? 0) > 0
          check(flake !== (isGivenUp || diminished.has(bisection)), point, () => ({
            story: `At ${minute(point.at)} bisection ${bisection} ended ${flake ? 'as a flake, although a member was convicted or left' : 'not as a flake, although all members remain'}.`,
            pullRequests: [],
          }))
          diminished.delete(bisection)
        },
        flakyTestsSeen: ({ flakyTests }) => void seen.push(...flakyTests),
      },
      atRest(point) {
        const { command } = point.step
        const isNamed = command.type === 'finishTestRun' && command.flakyTests !== undefined
        if (isNamed || seen.length > 0 || earlier.length > 0) reviewTests(point, verdict)
      },
    }
  },
}

/** In a queue with a larger share of contradicted verdicts, a conviction needs two failures. */
const flakyShare = 0.01

const none: readonly Verdict[] = []

/** The tests that failed in exactly one of the two. */
function difference({ failedTests: some }: Verdict, { failedTests: others }: Verdict): string[] {
  return [
    ...some.filter((test) => !others.includes(test)),
    ...others.filter((test) => !some.includes(test)),
  ]
}
