import { testKey } from '../../engine/index.ts'
import type { BisectionId, EventOf, RecordedVerdict } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/step.ts'
import { minute } from './wording.ts'

type Verdict = EventOf<'verdictRecorded'>

/**
 * Rules: E-82, E-86. Both sides: which tests are known to flake, and which bisections have found nothing else.
 * Which failures are contradicted is checked by `flakes-are-shown`.
 */
export const flakyTestsAreNoticed: Property = {
  name: 'flaky-tests-are-noticed',
  sentence:
    'Known to flake are the tests that failed in one of two runs of the same composition, and no others; a bisection ends as a flake if and only if it convicted no member and none left it.',
  watch({ check, ledger: { queue } }) {
    const known = new Set<string>()
    /** Bisections that have convicted a member, or that a member has left. */
    const diminished = new Set<BisectionId>()
    /** Of the current command. */
    let verdict: Verdict | null = null
    let earlier: readonly RecordedVerdict[] = []
    let seen: string[] = []

    const reviewTests = (point: Point): void => {
      const { command } = point.step
      const named = command.type === 'finishTestRun' ? (command.flakyTests ?? []).map(testKey) : []
      const failed = verdict?.failedTests ?? []
      const differing = earlier.flatMap((other) => difference(other.failedTests, failed))
      const missing = [...named, ...differing].find(
        (test) => !seen.includes(test) && !known.has(test),
      )
      check(missing === undefined, point, () => ({
        story: `At ${minute(point.at)} run ${verdict?.testRun ?? 0} ended, and the test "${missing ?? ''}" is not known to flake, although it failed in one of two runs of the same.`,
        pullRequests: [],
      }))
      const extra = seen.find((test) => !named.includes(test) && !differing.includes(test))
      check(extra === undefined, point, () => ({
        story: `At ${minute(point.at)} the test "${extra ?? ''}" was said to flake, although no two runs of the same differ in it.`,
        pullRequests: [],
      }))
      for (const test of seen) known.add(test)
    }
    const diminish = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
      if (to === 'MERGED' && reason !== 'MANUAL_MERGE') return
      const home = queue.pullRequests[number]?.home
      if (home?.in === 'bisection') diminished.add(home.bisection)
      for (const { id, handedOver } of queue.bisections) {
        if (handedOver.includes(number)) diminished.add(id)
      }
    }

    return {
      atCommand() {
        verdict = null
        earlier = []
        if (seen.length > 0) seen = []
      },
      on: {
        verdictRecorded(event) {
          verdict = event
          earlier = queue.verdicts.filter(({ composition }) => composition === event.composition)
        },
        verdictContradicted: ({ flakyTests }) => void seen.push(...flakyTests),
        pullRequestEnded: diminish,
        bisectionEnded({ bisection, flake }, point) {
          // It is given up, because the branch fails by itself (E-235).
          const { open = [], others = 0 } =
            queue.bisections.find(({ id }) => id === bisection) ?? {}
          // The other members of its batch were tested by themselves (E-307).
          const isOpen = open.length > 0 || others > 0
          check(flake !== (isOpen || diminished.has(bisection)), point, () => ({
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
        if (isNamed || seen.length > 0 || earlier.length > 0) reviewTests(point)
      },
    }
  },
}

/** The tests that failed in exactly one of the two. */
function difference(some: readonly string[], others: readonly string[]): string[] {
  return [
    ...some.filter((test) => !others.includes(test)),
    ...others.filter((test) => !some.includes(test)),
  ]
}
