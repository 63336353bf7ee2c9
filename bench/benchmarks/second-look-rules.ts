/**
 * Rules for the conviction by elimination, to compare them: the engine as it is, and engines with
 * altered rules.
 */

import {
  engineParts,
  rules,
  type EngineParts,
  type QueueView,
  type Rule,
} from '../../engine/index.ts'
import {
  engineWithRules,
  nothing,
  withMisreadQueue,
  withMisreadSettings,
} from '../../sim/run/altered-engines.ts'

export type SecondLookRule = { readonly name: string; readonly parts: EngineParts }

type Misread = (queue: QueueView) => Partial<QueueView>
type Verdict = QueueView['bisections'][number]['verdicts'][string]

/** Finds no slot left over, so no second look is made beside a search. */
const never = withMisreadSettings(rules.lookOnceMore, () => ({ bisectionConcurrency: 0 }))

/** The engine whose bisections read a false state of the queue when they judge a failure. */
function judging(misread: Misread, lookOnceMore: Rule): EngineParts {
  return engineWithRules({
    advanceBisection: withMisreadQueue(rules.advanceBisection, misread),
    startBisectionRuns: withMisreadQueue(rules.startBisectionRuns, misread),
    lookOnceMore: withMisreadQueue(lookOnceMore, misread),
  })
}

/** The verdicts of failed batches, as `change` shows them. */
const showing =
  (change: (queue: QueueView, verdict: Verdict) => Partial<Verdict>): Misread =>
  (queue) => ({
    bisections: queue.bisections.map((bisection) => ({
      ...bisection,
      verdicts: Object.fromEntries(
        Object.entries(bisection.verdicts).map(([composition, verdict]) => {
          const isOpen = verdict.ofBatch && !verdict.confirmed
          return [composition, isOpen ? { ...verdict, ...change(queue, verdict) } : verdict]
        }),
      ),
    })),
  })

const isFlaky = ({ flakyTests }: QueueView, name: string): boolean =>
  Object.keys(flakyTests).some((key) => key.includes(name))

/** One known flake among other failed tests is no reason for a confirmation. */
const withoutKnownFlakes = showing((queue, { failedTests }) => {
  const unknown = failedTests.filter(({ name }) => !isFlaky(queue, name))
  return unknown.length > 0 ? { failedTests: unknown } : {}
})

/** A failed test is a reason for a confirmation unless it failed in another run. */
const unlessSeenBefore = showing((queue, { run, failedTests }) => {
  const isSeen = queue.verdicts.some(
    (verdict) =>
      verdict.run !== run.id &&
      failedTests.some(({ name }) => verdict.failedTests.some((key) => key.includes(name))),
  )
  return isSeen ? {} : { reason: 'TEST_RUN_TIMEOUT' }
})

/** Every failure of a batch is confirmed, also if the confirmation has to wait for a slot. */
const always = showing(() => ({ reason: 'TEST_RUN_TIMEOUT' }))

export const oldRule: SecondLookRule = {
  name: 'no second look',
  parts: judging(withoutKnownFlakes, never),
}

export const secondLookRules: readonly SecondLookRule[] = [
  { name: 'slot left over', parts: judging(withoutKnownFlakes, rules.lookOnceMore) },
  { name: 'slot left over or known flake', parts: engineParts },
  { name: 'slot left over or new failure', parts: judging(unlessSeenBefore, rules.lookOnceMore) },
  { name: 'always, after the search', parts: judging(always, nothing) },
]
