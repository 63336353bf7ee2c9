/** Defects of the quarantine: which runs pass by it, for how long, and what follows. */

import { engineParts, type Command, type Event, type QueueView } from '../../engine/index.ts'
import {
  alteringAllEvents,
  deciding,
  decidingOnMisreadQueue,
  evolving,
  misreadingQueue,
  misreadQueue,
} from '../run/altered-engines.ts'
import type { Defects } from './defect.ts'

type Entries = NonNullable<QueueView['quarantine']>['tests']

/** The queue with other entries in its quarantine. */
const withEntries =
  (change: (tests: Entries) => Entries) =>
  ({ quarantine }: QueueView): Partial<QueueView> =>
    quarantine ? { quarantine: { ...quarantine, tests: change(quarantine.tests) } } : {}

const withoutEnd = (tests: Entries): Entries =>
  Object.fromEntries(
    Object.entries(tests).map(([test, { until: _until, ...entry }]) => [test, entry]),
  )

/** The engine that reads another report of a run than came. */
const reading = (change: (command: Command, queue: QueueView) => Command): typeof engineParts =>
  deciding((step, command) =>
    engineParts.decide(step, change({ ...command, at: step.at }, step.queue)),
  )

const isFailure = (command: Command): command is Extract<Command, { type: 'finishTestRun' }> =>
  command.type === 'finishTestRun' && command.outcome === 'failed'

/** A pass in spite of tests in quarantine is told as any other. */
function withoutTests(event: Event): Event {
  if (event.type !== 'pullRequestMoved') return event
  const { quarantined: _quarantined, ...rest } = event
  return rest
}

/** No run leaned on a test in quarantine. */
const asIfClean = ({ verdicts, tipTest }: QueueView): Partial<QueueView> => ({
  verdicts: verdicts.map(({ quarantined: _quarantined, ...verdict }) => verdict),
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
  Object.fromEntries(
    Object.entries(verdicts).map(([composition, verdict]) => {
      const { quarantined: _quarantined, ...run } = verdict.run
      const isOfProven = !run.tested.some((number) => open.includes(number))
      return [composition, isOfProven ? { ...verdict, run } : verdict]
    }),
  )

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
    decidingOnMisreadQueue(withEntries(withoutEnd)),
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
    reading((command, { quarantine }) => {
      if (!quarantine || !isFailure(command) || command.failedTests) return command
      return { ...command, outcome: 'passed' }
    }),
  ],
  'one-in-quarantine-is-enough': [
    'A run passes if one of its failed tests is in quarantine.',
    reading((command, { quarantine }) => {
      if (!quarantine || !isFailure(command)) return command
      const listed = command.failedTests?.filter(({ name }) => quarantine.tests[name]) ?? []
      return listed.length > 0 ? { ...command, failedTests: listed } : command
    }),
  ],
  'no-quarantine-in-bisections': [
    'A run of a bisection fails in spite of the quarantine.',
    deciding((step, command) => {
      const run =
        command.type === 'finishTestRun' ? step.queue.testRuns[command.testRun] : undefined
      if (run?.owner.kind !== 'bisection') return engineParts.decide(step, command)
      const queue = misreadQueue(
        step.queue,
        withEntries(() => ({})),
      )
      return engineParts.decide({ ...step, queue }, command)
    }),
  ],
  'released-in-name-only': [
    'A test that is released stays in quarantine.',
    {
      ...engineParts,
      evolve: (queue, event) => {
        if (event.type !== 'testReleased') engineParts.evolve(queue, event)
      },
    },
  ],
  'eliminated-by-a-test-in-quarantine': [
    'A failure in which only tests in quarantine failed convicts a member of a batch.',
    {
      ...engineParts,
      rules: engineParts.rules.map((rule) => (step) => {
        const queue = misreadQueue(
          step.queue,
          withEntries(() => ({})),
        )
        return rule({ ...step, queue })
      }),
    },
  ],
  'merges-do-not-name-the-quarantine': [
    'A merge does not say that tests in quarantine failed.',
    alteringAllEvents((event) => [withoutTests(event)]),
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
    alteringAllEvents((event, { now: since }) => [
      event.type === 'testQuarantined' ? { ...event, entry: { ...event.entry, since } } : event,
    ]),
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
    {
      ...engineParts,
      evolve(queue, event) {
        const { tipTest } = queue
        engineParts.evolve(queue, event)
        if (event.type === 'testQuarantined' && tipTest) queue.tipTest = tipTest
      },
    },
  ],
  'flakes-enter-by-themselves': [
    'A test that failed in a run that was a flake is put in quarantine.',
    alteringAllEvents((event, { now: since, verdicts }) => {
      const flake =
        event.type === 'verdictContradicted'
          ? verdicts.find(({ run }) => run === event.testRun)
          : undefined
      const [test] = flake?.failedTests ?? []
      return test === undefined
        ? [event]
        : [event, { type: 'testQuarantined', test, entry: { since } }]
    }),
  ],
  'a-pass-by-quarantine-shows-flakes': [
    'A run that passed by the quarantine contradicts a failure of the same tests.',
    evolving((queue, event) => {
      if (event.type !== 'verdictRecorded' || !event.quarantined) return
      const last = queue.verdicts.pop()
      if (!last) return
      const { quarantined: _quarantined, ...rest } = last
      queue.verdicts.push({ ...rest, failedTests: [] })
    }),
  ],
}
