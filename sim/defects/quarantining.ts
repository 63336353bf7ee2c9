/** Defects of the quarantine: which runs pass by it, for how long, and what follows. */

import { engineParts, rules, type Command, type Event, type QueueView } from '../../engine/index.ts'
import {
  alteringAllEvents,
  deciding,
  decidingOnMisreadQueue,
  engineWithRules,
  evolving,
  misreadQueue,
  withMisreadQueue,
} from '../run/altered-engines.ts'
import type { Defect } from './defect.ts'

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

export const quarantiningDefects: readonly Defect[] = [
  {
    name: 'quarantine-proves-the-branch',
    sentence:
      'What the branch passed only by its quarantine counts against others when that is over.',
    parts: engineWithRules({
      testTip: withMisreadQueue(rules.testTip, asIfClean),
      settleFailure: withMisreadQueue(rules.settleFailure, asIfClean),
    }),
  },
  {
    name: 'quarantine-proves-in-bisections',
    sentence:
      'What passed in a bisection only by the quarantine counts against others when that is over.',
    parts: engineWithRules({
      testTip: withMisreadQueue(rules.testTip, asIfBisectedClean),
      advanceBisection: withMisreadQueue(rules.advanceBisection, asIfBisectedClean),
      lookOnceMore: withMisreadQueue(rules.lookOnceMore, asIfBisectedClean),
    }),
  },
  {
    name: 'quarantine-without-end',
    sentence: 'A test stays in quarantine when its time is over.',
    parts: decidingOnMisreadQueue(withEntries(withoutEnd)),
  },
  {
    name: 'quarantine-ends-at-once',
    sentence: 'An entry that has an end has no effect before it either.',
    parts: decidingOnMisreadQueue(
      withEntries((tests) =>
        Object.fromEntries(Object.entries(tests).filter(([, { until }]) => until === undefined)),
      ),
    ),
  },
  {
    name: 'unnamed-failures-pass',
    sentence: 'While anything is in quarantine, a run that fails without naming a test passes.',
    parts: reading((command, { quarantine }) => {
      if (!quarantine || !isFailure(command) || command.failedTests) return command
      return { ...command, outcome: 'passed' }
    }),
  },
  {
    name: 'one-in-quarantine-is-enough',
    sentence: 'A run passes if one of its failed tests is in quarantine.',
    parts: reading((command, { quarantine }) => {
      if (!quarantine || !isFailure(command)) return command
      const listed = command.failedTests?.filter(({ name }) => quarantine.tests[name]) ?? []
      return listed.length > 0 ? { ...command, failedTests: listed } : command
    }),
  },
  {
    name: 'no-quarantine-in-bisections',
    sentence: 'A run of a bisection fails in spite of the quarantine.',
    parts: deciding((step, command) => {
      const run =
        command.type === 'finishTestRun' ? step.queue.testRuns[command.testRun] : undefined
      if (run?.owner.kind !== 'bisection') return engineParts.decide(step, command)
      const queue = misreadQueue(
        step.queue,
        withEntries(() => ({})),
      )
      return engineParts.decide({ ...step, queue }, command)
    }),
  },
  {
    name: 'released-in-name-only',
    sentence: 'A test that is released stays in quarantine.',
    parts: {
      ...engineParts,
      evolve: (queue, event) => {
        if (event.type !== 'testReleased') engineParts.evolve(queue, event)
      },
    },
  },
  {
    name: 'eliminated-by-a-test-in-quarantine',
    sentence: 'A failure in which only tests in quarantine failed convicts a member of a batch.',
    parts: {
      ...engineParts,
      rules: engineParts.rules.map((rule) => (step) => {
        const queue = misreadQueue(
          step.queue,
          withEntries(() => ({})),
        )
        return rule({ ...step, queue })
      }),
    },
  },
  {
    name: 'merges-do-not-name-the-quarantine',
    sentence: 'A merge does not say that tests in quarantine failed.',
    parts: alteringAllEvents((event) => [withoutTests(event)]),
  },
  {
    name: 'merges-by-quarantine-not-counted',
    sentence: 'The queue does not count the merges that leaned on tests in quarantine.',
    parts: evolving(({ quarantine }, event) => {
      if (event.type !== 'pullRequestMoved' || event.to !== 'MERGED' || !event.quarantined) return
      if (quarantine) quarantine.merges--
    }),
  },
  {
    name: 'renewed-as-if-new',
    sentence: 'A test that is put in quarantine again is there since now.',
    parts: alteringAllEvents((event, { now: since }) => [
      event.type === 'testQuarantined' ? { ...event, entry: { ...event.entry, since } } : event,
    ]),
  },
  {
    name: 'released-though-not-there',
    sentence: 'The release of a test that is not in quarantine is accepted.',
    parts: deciding((step, command) => {
      const rejection = engineParts.decide(step, command)
      return rejection?.code === 'not in quarantine' ? null : rejection
    }),
  },
  {
    name: 'tip-stands-in-spite-of-the-quarantine',
    sentence:
      'A branch that fails by itself is not tested at once when a test is put in quarantine.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const { tipTest } = queue
        engineParts.evolve(queue, event)
        if (event.type === 'testQuarantined' && tipTest) queue.tipTest = tipTest
      },
    },
  },
  {
    name: 'flakes-enter-by-themselves',
    sentence: 'A test that failed in a run that was a flake is put in quarantine.',
    parts: alteringAllEvents((event, { now: since, verdicts }) => {
      const flake =
        event.type === 'verdictContradicted'
          ? verdicts.find(({ run }) => run === event.testRun)
          : undefined
      const [test] = flake?.failedTests ?? []
      return test === undefined
        ? [event]
        : [event, { type: 'testQuarantined', test, entry: { since } }]
    }),
  },
  {
    name: 'a-pass-by-quarantine-shows-flakes',
    sentence: 'A run that passed by the quarantine contradicts a failure of the same tests.',
    parts: evolving((queue, event) => {
      if (event.type !== 'verdictRecorded' || !event.quarantined) return
      const last = queue.verdicts.pop()
      if (!last) return
      const { quarantined: _quarantined, ...rest } = last
      queue.verdicts.push({ ...rest, failedTests: [] })
    }),
  },
]
