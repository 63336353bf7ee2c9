/** The tests of the branch by itself, and what is known of the tip. Rules: E-229 to E-235. */

import type { EventOf, TestRunId } from '../../engine/index.ts'
import type { CompositionNode } from './composition.ts'
import type { Line } from './line.ts'
import { firstPredecessorOf } from './predecessors.ts'
import type { Projection } from './projection.ts'
import type { SettingsProjection } from './queue-settings.ts'
import type { Verdicts } from './verdicts.ts'

export type TipTests = Projection & {
  /** Whether nobody is FAILED before the branch has passed. */
  readonly isOn: boolean
  /** The last test of a tip, which failed, with no pass since; null if none is known or asked for. */
  readonly failure: EventOf<'tipTested'> | null
  /** A tip has failed by itself at some time. */
  readonly hasFailed: boolean
  /** The last run of the branch by itself that passed; null for none. */
  readonly passedIn: TestRunId | null
  /** Whether that tip has passed, or an earlier one and only what passed has come since. */
  isSound(tip: number, composition: CompositionNode): boolean
}

/** Reads the line as it was before an event, so it is updated before it. */
export function tipTests(
  settings: SettingsProjection,
  { line, verdicts }: { readonly line: Line; readonly verdicts: Verdicts },
): TipTests {
  let last: EventOf<'tipTested'> | null = null
  let passedIn: TestRunId | null = null
  let hasFailed = false
  let tip = 0
  /** The last commit that no run of the queue has passed. */
  let pushedAt = 0

  const isOn = (): boolean => settings.configuration.tipTestMode === 'always'
  const isTested = (number: number | null): boolean => {
    const group = number === null ? undefined : line.groupOf(number)
    if (!group || group.members[0] !== number || group.status !== 'passed' || !group.run)
      return false
    return firstPredecessorOf(line.groups, group) === undefined
  }
  return {
    get isOn() {
      return isOn()
    },
    get failure() {
      return isOn() && last?.failure ? last : null
    },
    get hasFailed() {
      return hasFailed
    },
    get passedIn() {
      return passedIn
    },
    isSound(of, composition) {
      if (verdicts.of(composition).some(({ outcome }) => outcome === 'passed')) return true
      return last?.failure === null && pushedAt <= last.tip && last.tip <= of
    },
    on: {
      tipMoved(event) {
        tip = event.tip
        if (!isTested(event.number)) pushedAt = tip
      },
      tipTested(event) {
        if (event.failure) hasFailed = true
        else passedIn = event.testRun
        const isLate = event.tip < (event.failure ? tip : pushedAt)
        if (!isLate && !(last?.failure && event.tip < last.tip)) last = event
      },
    },
  }
}
