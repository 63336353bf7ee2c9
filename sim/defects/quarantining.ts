/** Defects of the quarantine: which runs pass by it, for how long, and what follows. */

import { engineParts, type QueueView } from '../../engine/index.ts'
import {
  alteringAllEvents,
  deciding,
  decidingOnMisreadQueue,
  ofType,
  evolving,
  evolvingAs,
  mapped,
  misreadingFor,
  misreadingQueue,
  none,
  puttingBack,
  reading,
  withMisreadQueue,
  without,
} from '../run/altered-engines.ts'
import type { Defects } from './hunt.ts'

type Entries = NonNullable<QueueView['quarantine']>['tests']

/** The queue with other entries in its quarantine. */
const withEntries =
  (change: (tests: Entries) => Entries) =>
  ({ quarantine }: QueueView): Partial<QueueView> =>
    quarantine ? { quarantine: { ...quarantine, tests: change(quarantine.tests) } } : {}

const emptied = withEntries(() => ({}))

/** No run leaned on a test in quarantine. */
const asIfClean = ({ verdicts, tipTest }: QueueView): Partial<QueueView> => ({
  verdicts: verdicts.map((verdict) => without(verdict, 'quarantined')),
  ...(tipTest ? { tipTest: { ...tipTest, leansOn: [] } } : {}),
})

/** No run that has proven members of a bisection leaned on a test in quarantine. */
const asIfBisectedClean = ({ bisections }: QueueView): Partial<QueueView> => ({
  bisections: bisections.map(
    (bisection) =>
      new Proxy(bisection, {
        get: (all, key): unknown =>
          key === 'verdicts' ? cleanVerdicts(all) : Reflect.get(all, key),
      }),
  ),
})

const cleanVerdicts = ({ verdicts, open }: QueueView['bisections'][number]) =>
  mapped(verdicts, (verdict) => {
    const isOfProven = !verdict.run.tested.some((number) => open.includes(number))
    return isOfProven ? { ...verdict, run: without(verdict.run, 'quarantined') } : verdict
  })

export const quarantiningDefects: Defects = {
  'quarantine-proves-the-branch': [
    'What the branch passed only by its quarantine counts against others when that is over.',
    misreadingQueue(['testTip', 'settleFailure'], asIfClean),
  ],
  'quarantine-proves-in-bisections': [
    'What passed in a bisection only by the quarantine counts against others when that is over.',
    misreadingQueue(['testTip', 'advanceBisection', 'lookOnceMore'], asIfBisectedClean),
  ],
  'quarantine-without-end': [
    'A test stays in quarantine when its time is over.',
    decidingOnMisreadQueue(
      withEntries((tests) => mapped(tests, (entry) => without(entry, 'until'))),
    ),
  ],
  'quarantine-ends-at-once': [
    'An entry that has an end has no effect before it either.',
    decidingOnMisreadQueue(
      withEntries((tests) =>
        Object.fromEntries(Object.entries(tests).filter(([, { until }]) => until === undefined)),
      ),
    ),
  ],
  'unnamed-failures-pass': [
    'While anything is in quarantine, a run that fails without naming a test passes.',
    reading('finishTestRun', (command, { quarantine }) =>
      quarantine && command.outcome === 'failed' && !command.failedTests
        ? { ...command, outcome: 'passed' }
        : command,
    ),
  ],
  'one-in-quarantine-is-enough': [
    'A run passes if one of its failed tests is in quarantine.',
    reading('finishTestRun', (command, { quarantine }) => {
      if (!quarantine || command.outcome !== 'failed') return command
      const listed = command.failedTests?.filter(({ name }) => quarantine.tests[name]) ?? []
      return listed.length > 0 ? { ...command, failedTests: listed } : command
    }),
  ],
  'no-quarantine-in-bisections': [
    'A run of a bisection fails in spite of the quarantine.',
    misreadingFor('finishTestRun', (queue, { testRun }) =>
      queue.testRuns[testRun]?.owner.kind === 'bisection' ? emptied(queue) : {},
    ),
  ],
  'released-in-name-only': [
    'A test that is released stays in quarantine.',
    evolvingAs(none('testReleased')),
  ],
  'eliminated-by-a-test-in-quarantine': [
    'A failure in which only tests in quarantine failed convicts a member of a batch.',
    { ...engineParts, rules: engineParts.rules.map((rule) => withMisreadQueue(rule, emptied)) },
  ],
  'merges-do-not-name-the-quarantine': [
    'A merge does not say that tests in quarantine failed.',
    alteringAllEvents(ofType('pullRequestMoved', (event) => without(event, 'quarantined'))),
  ],
  'merges-by-quarantine-not-counted': [
    'The queue does not count the merges that leaned on tests in quarantine.',
    evolving(({ quarantine }, event) => {
      if (event.type !== 'pullRequestMoved' || event.to !== 'MERGED' || !event.quarantined) return
      if (quarantine) quarantine.merges--
    }),
  ],
  'renewed-as-if-new': [
    'A test that is put in quarantine again is there since now.',
    alteringAllEvents(
      ofType('testQuarantined', (event, { now: since }) => {
        return { ...event, entry: { ...event.entry, since } }
      }),
    ),
  ],
  'released-though-not-there': [
    'The release of a test that is not in quarantine is accepted.',
    deciding((step, command) => {
      const rejection = engineParts.decide(step, command)
      return rejection?.code === 'not in quarantine' ? null : rejection
    }),
  ],
  'tip-stands-in-spite-of-the-quarantine': [
    'A branch that fails by itself is not tested at once when a test is put in quarantine.',
    puttingBack((queue, { type }) => {
      const { tipTest } = queue
      return type === 'testQuarantined' && tipTest
        ? () => void (queue.tipTest = tipTest)
        : undefined
    }),
  ],
  'flakes-enter-by-themselves': [
    'A test that failed in a run that was a flake is put in quarantine.',
    alteringAllEvents(
      ofType('verdictContradicted', (event, { now: since, verdicts }) => {
        const flake = verdicts.find(({ run }) => run === event.testRun)
        const [test] = flake?.failedTests ?? []
        return test === undefined
          ? event
          : [event, { type: 'testQuarantined', test, entry: { since } }]
      }),
    ),
  ],
  'a-pass-by-quarantine-shows-flakes': [
    'A run that passed by the quarantine contradicts a failure of the same tests.',
    evolving((queue, event) => {
      if (event.type !== 'verdictRecorded' || !event.quarantined) return
      const last = queue.verdicts.pop()
      if (last) queue.verdicts.push({ ...without(last, 'quarantined'), failedTests: [] })
    }),
  ],
}
