/** Defects of results: which ones count, what they mean, and when a failure counts. */

import { engineParts, rules } from '../../engine/index.ts'
import type {
  EngineParts,
  Evidence,
  QueueView,
  Configuration,
  EventOf,
  GroupId,
  Rule,
  Step,
} from '../../engine/index.ts'
import {
  alteringAllEvents,
  alteringDecisions,
  alteringEventsOf,
  deciding,
  ofType,
  evolving,
  evolvingAs,
  decidingOn,
  decidingOnMisreadQueue,
  engineWithRules,
  mapped,
  misreadingQueue,
  misreadingSettings,
  none,
  puttingBack,
  without,
  withoutRules,
} from '../run/altered-engines.ts'
import type { Defects } from './hunt.ts'

// Defects of what the queue remembers of verdicts: flakes, and the evidence of FAILED.

const withEvidence = (
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

/** The rules that ask for the odds. */
const convicting = [
  'settleFailure',
  'advanceBisection',
  'startBisectionRuns',
  'lookOnceMore',
] as const

const documented: Partial<Configuration> = { policy: 'documented' }

export const convictingDefects: Defects = {
  'odds-ignored-for-single': [
    'With conviction by odds a single pull request is FAILED for its first failure.',
    misreadingSettings('settleFailure', () => documented),
  ],
  'odds-ignored-in-bisections': [
    'With conviction by odds a bisection convicts a member as without it.',
    misreadingSettings(
      ['advanceBisection', 'startBisectionRuns', 'lookOnceMore'],
      () => documented,
    ),
  ],
  'odds-without-flakes': [
    'The odds do not count the flakes that the queue has seen.',
    misreadingQueue(convicting, ({ verdicts }) => ({
      verdicts: verdicts.map((verdict) => ({ ...verdict, contradicted: false })),
    })),
  ],
  'odds-without-culprits': [
    'The odds count nobody who broke the tests, so that failures are looked at too often.',
    misreadingQueue(convicting, ({ judged }) => ({ judged: { ...judged, failed: 0 } })),
  ],
  'odds-unasked': [
    'A single pull request is looked at once more without conviction by odds.',
    misreadingSettings('settleFailure', () => ({ policy: 'adaptive' })),
  ],
  'odds-without-the-run-before': [
    'A failed run before a bisection of one member says nothing against this member.',
    alteringEventsOf(
      'settleFailure',
      ofType('bisectionStarted', (event) => without(event, 'others')),
    ),
  ],
  'never-one-by-one': [
    'The members of a small batch that failed are bisected together although runs hardly flake.',
    misreadingQueue('settleFailure', () => ({ verdicts: [] })),
  ],
}

/** The engine, with runs that have ended so kept in its state. */
const keepingRuns = (end: 'testRunFinished' | 'testRunCancelled'): EngineParts =>
  puttingBack((queue, event) => {
    const run = event.type === end ? queue.testRuns[event.testRun] : undefined
    return run && (() => void (queue.testRuns[run.id] = run))
  })

/** Emits that a pull request is FAILED, and that its group leaves. */
function fail(
  step: Step,
  group: GroupId,
  {
    number,
    ...why
  }: Pick<EventOf<'pullRequestMoved'>, 'number' | 'reason' | 'testRun' | 'evidence'>,
): true {
  const move = { type: 'pullRequestMoved', number, from: 'PENDING_FAILURE', to: 'FAILED' } as const
  step.emit({ ...move, ...why })
  step.emit({ type: 'groupLeft', group })
  return true
}

/** A failure is handled at once, even with predecessors or successors in the line. */
const failAtOnce: Rule = (step) => {
  for (const id of step.queue.line) {
    const group = step.queue.groups[id]
    const [number, ...others] = group?.members ?? []
    if (group?.phase.kind !== 'failed' || number === undefined || others.length > 0) continue
    const { run, reason, failedTests } = group.phase
    const evidence = { failedIn: run.id, passedWithout: null, failedTests }
    return fail(step, id, { number, reason, testRun: run.id, evidence })
  }
  return rules.settleFailure(step)
}

/** A text conflict with a pull request ahead leads to FAILED, whatever its outcome is. */
const failConflictsAtOnce: Rule = (step) => {
  const id = step.queue.line.find((each) => step.queue.groups[each]?.phase.kind === 'conflicted')
  const number = id === undefined ? undefined : step.queue.groups[id]?.members[0]
  if (id === undefined || number === undefined) return false
  const evidence = { failedIn: null, passedWithout: null, failedTests: [] }
  const reason = 'START_TEST_RUN_MERGE_CONFLICT'
  return fail(step, id, { number, reason, testRun: null, evidence })
}

export const judgingDefects: Defects = {
  'stale-result-accepted': [
    'The result of a cancelled run still counts.',
    keepingRuns('testRunCancelled'),
  ],
  'result-counted-twice': [
    'A result that is reported twice counts twice.',
    keepingRuns('testRunFinished'),
  ],
  'timeout-missed': ['A run that hangs never times out.', withoutRules('expireRuns')],
  'retry-at-once': [
    'A lost run is repeated without a pause.',
    alteringDecisions((event, { now: notBefore }) => [
      'retry' in event && event.retry !== null
        ? { ...event, retry: { ...event.retry, notBefore } }
        : event,
    ]),
  ],
  'retry-endless': [
    'A lost run is repeated without end, because each attempt counts as the first.',
    alteringAllEvents((event) => [
      'retry' in event && event.retry !== null
        ? { ...event, retry: { ...event.retry, attempt: 0 } }
        : event,
    ]),
  ],
  'lost-run-not-repeated': [
    'A run that is lost once counts as failed.',
    decidingOnMisreadQueue(({ testRuns }) => ({
      testRuns: mapped(testRuns, (run) => ({ ...run, attempt: 2 })),
    })),
  ],
  'failed-at-once': [
    'A failure is blamed on the pull request at once, even with predecessors ahead of it.',
    engineWithRules({ settleFailure: failAtOnce }),
  ],
  'conflict-fails-at-once': [
    'A text conflict with a pull request that has not merged yet is final.',
    engineWithRules({ settleConflict: failConflictsAtOnce }),
  ],
  'conflict-never-settled': [
    'A text conflict with a merged pull request never leads to FAILED.',
    withoutRules('settleConflict'),
  ],
  'evidence-names-a-wrong-run': [
    'The evidence of FAILED names the run before the one that failed.',
    withEvidence(({ failedIn }) => ({ failedIn: failedIn === null ? null : failedIn - 1 })),
  ],
  'optimistic-unasked': [
    'A passing run clears every pull request it contains, with or without optimistic merging.',
    decidingOnMisreadQueue(({ configuration }) => ({
      configuration: { ...configuration, canOptimisticallyMerge: true },
    })),
  ],
  'optimistic-forgotten': [
    'With optimistic merging, a passing run clears only its own group.',
    decidingOnMisreadQueue(({ configuration }) => ({
      configuration: { ...configuration, canOptimisticallyMerge: false },
    })),
  ],
  'moved-without-a-word': [
    'The last member of a batch changes to TESTING without an event.',
    evolving((queue, event) => {
      if (event.type !== 'testRunStarted' || event.run.owner.kind !== 'main') return
      const last = event.run.tested.length > 1 ? event.run.tested.at(-1) : undefined
      const pullRequest = queue.pullRequests[last ?? -1]
      if (pullRequest) pullRequest.state = 'TESTING'
    }),
  ],
  'refused-result-leaves-a-mark': [
    'A rejected result still changes the known flaky tests.',
    decidingOn('finishTestRun', (step, command) => {
      const rejection = engineParts.decide(step, command)
      const flakyTests = ['of a result that came late']
      if (rejection) step.emit({ type: 'flakyTestsSeen', flakyTests })
      return rejection
    }),
  ],
  'verdict-not-kept': [
    'A failed run does not change its group: the event groupFailed is missing.',
    alteringDecisions(none('groupFailed')),
  ],
  'survivors-lost': [
    'Survivors of a bisection do not return to the line.',
    alteringEventsOf('advanceBisection', none('groupPlaced')),
  ],
}

/** Defects of the tests of the branch by itself. */
const off: () => Partial<Configuration> = () => ({ tipTestMode: 'off' })

export const blamingDefects: Defects = {
  'tip-unasked-for-single': [
    'A single pull request is FAILED although the branch was not tested by itself.',
    misreadingSettings('settleFailure', off),
  ],
  'tip-unasked-in-bisections': [
    'A bisection convicts its first member although the branch was not tested by itself.',
    misreadingSettings('advanceBisection', off),
  ],
  'tip-sound-after-push': [
    'A branch that has passed counts as sound also after a push.',
    evolving((queue) => {
      delete queue.pushedAt
    }),
  ],
  'failed-tip-counts-as-passed': [
    'A branch that fails by itself counts as sound.',
    evolvingAs(ofType('tipTested', (event) => ({ ...event, failure: null }))),
  ],
  'tip-sound-from-the-start': [
    'A branch that passes counts as sound also before another lane has mended it.',
    evolving((queue) => {
      if (queue.tipTest) queue.tipTest = { ...queue.tipTest, soundFrom: 0 }
    }),
  ],
  'tip-passed-before-the-timeout': [
    'An earlier pass of the branch by itself makes a timeout count.',
    evolving((queue) => {
      if (queue.tipTest) queue.tipTest = { ...queue.tipTest, run: Infinity }
    }),
  ],
  'stop-ignored-by-the-order': [
    'While the branch fails by itself, pull requests enter the line.',
    misreadingSettings('formGroup', off),
  ],
  'stop-ignored-by-bisections': [
    'While the branch fails by itself, bisections go on.',
    misreadingSettings(['startBisectionRuns', 'lookOnceMore'], off),
  ],
}
