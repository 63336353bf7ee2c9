/** Defects of what the queue remembers of verdicts: flakes, and the evidence of FAILED. */

import {
  engineParts,
  rules,
  type Event,
  type Evidence,
  type QueueView,
} from '../../engine/index.ts'
import type { Defects } from './defect.ts'
import { alteringAllEvents, deciding, engineWithRules, evolving } from '../run/altered-engines.ts'

/** The engine, with the evidence of FAILED altered. */
const withEvidence = (
  alter: (evidence: Evidence, event: Event, queue: QueueView) => Partial<Evidence>,
): typeof engineParts =>
  alteringAllEvents((event, queue) => {
    if (event.type !== 'pullRequestMoved' || !event.evidence) return [event]
    const evidence = { ...event.evidence, ...alter(event.evidence, event, queue) }
    return [{ ...event, evidence }]
  })

/** The known flaky tests after a verdict are altered; those that a report names are not. */
const knowing = (
  alter: (flakyTests: readonly string[], failedTests: readonly string[]) => string[],
): typeof engineParts =>
  deciding((step, command) => {
    let failedTests: readonly string[] | null = null
    return engineParts.decide(
      {
        ...step,
        emit(event) {
          if (event.type === 'verdictRecorded') failedTests = event.failedTests
          if (event.type !== 'flakyTestsSeen' || !failedTests) return step.emit(event)
          const flakyTests = alter(event.flakyTests, failedTests)
          if (flakyTests.length > 0) step.emit({ ...event, flakyTests })
        },
      },
      command,
    )
  })

export const rememberingDefects: Defects = {
  'ten-verdicts-remembered': [
    'Only the last 10 verdicts are remembered.',
    evolving((queue, event) => {
      if (event.type === 'verdictRecorded') queue.verdicts = queue.verdicts.slice(-10)
    }),
  ],
  'flake-only-if-it-fails-first': [
    'A failure after a pass of the same composition is not recognised as a flake.',
    deciding((step, command) =>
      engineParts.decide(
        {
          ...step,
          emit(event) {
            const isLast =
              event.type === 'verdictContradicted' &&
              step.queue.verdicts.at(-1)?.run === event.testRun
            if (!isLast) step.emit(event)
          },
        },
        command,
      ),
    ),
  ],
  'difference-from-one-side': [
    'A test that failed before and not again on the same is not known to flake.',
    knowing((flakyTests, failed) => flakyTests.filter((test) => failed.includes(test))),
  ],
  'difference-from-the-other-side': [
    'A test that fails now and did not fail before on the same is not known to flake.',
    knowing((flakyTests, failed) => flakyTests.filter((test) => !failed.includes(test))),
  ],
  'culprit-without-its-tests': [
    'The evidence of a conviction does not name the tests that failed.',
    engineWithRules({
      advanceBisection: (step) =>
        rules.advanceBisection({
          ...step,
          emit(event) {
            if (event.type !== 'pullRequestMoved' || !event.evidence) return step.emit(event)
            step.emit({ ...event, evidence: { ...event.evidence, failedTests: [] } })
          },
        }),
    }),
  ],
  'contrast-forgotten': [
    'The evidence of FAILED never names a run that passed without the pull request.',
    withEvidence(() => ({ passedWithout: null })),
  ],
  'contrast-of-another-run': [
    'The evidence of FAILED names any run that passed last, whatever it tested.',
    withEvidence(({ passedWithout }, _event, { verdicts }) => ({
      passedWithout:
        passedWithout === null
          ? null
          : (verdicts.findLast(({ outcome }) => outcome === 'passed')?.run ?? null),
    })),
  ],
  'no-batch-outlives-the-submission': [
    'A pull request that left as noBatch is tested alone when it is submitted again.',
    {
      ...engineParts,
      evolve(queue, event) {
        const isNew = event.type === 'pullRequestSubmitted'
        const isKept = isNew && queue.pullRequests[event.number]?.noBatch === true
        engineParts.evolve(queue, isKept ? { ...event, noBatch: true } : event)
      },
    },
  ],
}
