/** Defects of what the queue remembers of verdicts: flakes, and the evidence of FAILED. */

import type { EngineParts, Evidence, QueueView } from '../../engine/index.ts'
import type { Defects } from './defect.ts'
import {
  alteringAllEvents,
  alteringDecisions,
  alteringEventsOf,
  deciding,
  ofType,
  evolving,
  evolvingAs,
} from '../run/altered-engines.ts'

/** The engine, with the evidence of FAILED altered. */
export const withEvidence = (
  alter: (evidence: Evidence, queue: QueueView) => Partial<Evidence>,
): EngineParts => alteringAllEvents(otherEvidence(alter))

const otherEvidence = (alter: (evidence: Evidence, queue: QueueView) => Partial<Evidence>) =>
  ofType('pullRequestMoved', ({ evidence, ...event }, queue) =>
    evidence ? { ...event, evidence: { ...evidence, ...alter(evidence, queue) } } : event,
  )

/** The known flaky tests after a verdict are altered; those that a report names are not. */
function knowing(
  alter: (flakyTests: readonly string[], failedTests: readonly string[]) => string[],
): EngineParts {
  let failedTests: readonly string[] | null = null
  const altered = alteringDecisions((event) => {
    if (event.type === 'verdictRecorded') failedTests = event.failedTests
    if (event.type !== 'flakyTestsSeen' || !failedTests) return [event]
    const flakyTests = alter(event.flakyTests, failedTests)
    return flakyTests.length > 0 ? [{ ...event, flakyTests }] : []
  })
  return deciding((step, command) => {
    failedTests = null
    return altered.decide(step, command)
  })
}

export const rememberingDefects: Defects = {
  'ten-verdicts-remembered': [
    'Only the last 10 verdicts are remembered.',
    evolving((queue, event) => {
      if (event.type === 'verdictRecorded') queue.verdicts = queue.verdicts.slice(-10)
    }),
  ],
  'flake-only-if-it-fails-first': [
    'A failure after a pass of the same composition is not recognised as a flake.',
    alteringDecisions(
      ofType('verdictContradicted', (event, { verdicts }) =>
        verdicts.at(-1)?.run === event.testRun ? null : event,
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
    alteringEventsOf(
      'advanceBisection',
      otherEvidence(() => ({ failedTests: [] })),
    ),
  ],
  'contrast-forgotten': [
    'The evidence of FAILED never names a run that passed without the pull request.',
    withEvidence(() => ({ passedWithout: null })),
  ],
  'contrast-of-another-run': [
    'The evidence of FAILED names any run that passed last, whatever it tested.',
    withEvidence(({ passedWithout }, { verdicts }) => ({
      passedWithout:
        passedWithout === null
          ? null
          : (verdicts.findLast(({ outcome }) => outcome === 'passed')?.run ?? null),
    })),
  ],
  'no-batch-outlives-the-submission': [
    'A pull request that left as noBatch is tested alone when it is submitted again.',
    evolvingAs(
      ofType('pullRequestSubmitted', (event, { pullRequests }) =>
        pullRequests[event.number]?.noBatch === true ? { ...event, noBatch: true } : event,
      ),
    ),
  ],
}
