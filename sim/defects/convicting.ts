/** Defects of guilt: bisections, conviction by odds, tests of the branch by itself, and the quarantine. */

import { engineParts, rules } from '../../engine/index.ts'
import type { Bisection, Configuration, Event, QueueView } from '../../engine/index.ts'
import {
  after,
  altering,
  answering,
  applying,
  catalogue,
  changed,
  hearing,
  insteadOfRejecting,
  keeping,
  never,
  reading,
  replacing,
  withBisections,
  withSettings,
  type Misread,
} from './alterations.ts'

type BisectionView = QueueView['bisections'][number]

const bisectionOf = <One extends { readonly id: number }>(
  { bisections }: { readonly bisections: readonly One[] },
  id: number,
): One | undefined => bisections.find((each) => each.id === id)

/** Applies a verdict to every prefix with the same last member, whatever its base is. */
function ignoreBase({ prefixes, open, verdicts }: Bisection): void {
  for (const [index, prefix] of prefixes.entries()) {
    const alike = Object.values(verdicts).find(
      ({ run, ofBatch }) => !ofBatch && run.tested.at(-1) === open[index],
    )
    if (alike && !(prefix in verdicts)) verdicts[prefix] = alike
  }
}

/** Contradicts each prefix that failed and is shorter than one that passed. */
function contradictionsOf({ prefixes, verdicts }: BisectionView): Event[] {
  const passed = prefixes.findLastIndex((prefix) => verdicts[prefix]?.outcome === 'passed')
  return prefixes.slice(0, Math.max(passed, 0)).flatMap((prefix) => {
    const verdict = verdicts[prefix]
    if (verdict?.outcome !== 'failed') return []
    return [{ type: 'verdictContradicted', testRun: verdict.run.id, flakyTests: [] }]
  })
}

export const bisectingDefects = catalogue`
  bisection-slots-ignored (2): One more bisection run than bisectionConcurrency allows can be in progress.
    ${withSettings('startBisectionRuns', ({ concurrency, bisectionConcurrency }) => ({
      bisectionConcurrency: (bisectionConcurrency ?? concurrency) + 1,
    }))}
  cache-keyed-without-the-base (2): The verdict of a run counts for its last member on any other base.
    ${after(['membersProven', 'memberConvicted'], (queue, event) => {
      const bisection = bisectionOf(queue, event.bisection)
      if (bisection) ignoreBase(bisection)
    })}
  cache-emptied-on-proof (8): When some members are proven, the verdicts about the others are forgotten.
    ${after('membersProven', (queue, event) => {
      const bisection = bisectionOf(queue, event.bisection)
      if (bisection) bisection.verdicts = {}
    })}
  cache-outlives-a-departure (39): A verdict about a prefix still counts after one of its members has left.
    ${keeping('memberDeparted', (queue, event) => {
      const known = bisectionOf(queue, event.bisection)
      if (!known) return undefined
      const before = known.prefixes
      return () => {
        for (const [index, prefix] of known.prefixes.entries()) {
          const verdict = known.verdicts[before[index + 1] ?? '']
          if (verdict) known.verdicts[prefix] = verdict
        }
      }
    })}
  bisection-wasteful (9): Split sizes are chosen as if failures were rare and runs cost nothing.
    ${reading('startBisectionRuns', (queue) => ({
      ...withBisections(() => ({ size: 100 }))(queue),
      judged: { count: 1000, failed: 0 },
    }))}
  convicted-one-too-early (2): Of two members that fail together, the first is convicted.
    ${reading(
      'advanceBisection',
      withBisections(({ prefixes: [first = '', second = ''], verdicts }) => {
        const known = verdicts[second]
        if (first in verdicts || known?.outcome !== 'failed') return {}
        return { verdicts: { ...verdicts, [first]: { ...known, confirmed: true } } }
      }),
    )}
  mended-failure-is-a-flake (51): The failure of a prefix counts as a flake when a longer prefix has passed.
    ${altering(
      'membersProven',
      (event, queue) => {
        const bisection = bisectionOf(queue, event.bisection)
        return bisection ? [...contradictionsOf(bisection), event] : {}
      },
      'advanceBisection',
    )}
  restart-in-a-bisection-forgotten (9): A restart request for a member of a bisection is accepted and repeats no run.
    ${answering('restartTests', (step, command) => {
      const isMember = step.queue.bisections.some(({ open }) => open.includes(command.number))
      return isMember ? null : engineParts.decide(step, command)
    })}
  departure-unnoticed (8): A bisection does not notice that a member has left.
    ${never('memberDeparted')}
  survivors-at-the-head (2): Survivors of a bisection return at the head of the line.
    ${altering('groupPlaced', () => ({ index: 0 }), 'advanceBisection')}
  second-look-forgotten (20): A member is convicted by elimination although a slot is left over for a second look.
    ${withSettings('lookOnceMore', () => ({ bisectionConcurrency: 0 }))}
  second-look-keeps-others-waiting (20): A second look starts before the runs that other bisections want.
    ${replacing({
      advanceBisection: (step) => rules.advanceBisection(step) || rules.lookOnceMore(step),
    })}
  known-flakes-convict (49): Bisections do not know which tests flake.
    ${reading(['advanceBisection', 'startBisectionRuns', 'lookOnceMore'], () => ({
      flakyTests: {},
    }))}
  bisection-kept-waiting (8): A bisection starts no run while another bisection is in progress.
    ${replacing({
      startBisectionRuns: (step) =>
        step.queue.bisections.length === 1 && rules.startBisectionRuns(step),
    })}
`

/** The rules that ask for the odds in bisections, and all that ask. */
const inBisections = ['advanceBisection', 'startBisectionRuns', 'lookOnceMore'] as const
const convicting = ['settleFailure', ...inBisections] as const

const documented = (): Partial<Configuration> => ({ policy: 'documented' })
const off = (): Partial<Configuration> => ({ tipTestMode: 'off' })

/** Defects of the odds, and of the tests of the branch by itself. */
export const blamingDefects = catalogue`
  odds-ignored-for-single (4): With conviction by odds a single pull request is FAILED for its first failure.
    ${withSettings('settleFailure', documented)}
  odds-ignored-in-bisections (4): With conviction by odds a bisection convicts a member as without it.
    ${withSettings(inBisections, documented)}
  odds-without-flakes (9): The odds do not count the flakes that the queue has seen.
    ${reading(convicting, ({ verdicts }) => ({
      verdicts: verdicts.map((verdict) => ({ ...verdict, contradicted: false })),
    }))}
  odds-without-culprits (4): The odds count nobody who broke the tests, so that failures are looked at too often.
    ${reading(convicting, ({ judged }) => ({ judged: { ...judged, failed: 0 } }))}
  odds-unasked (1): A single pull request is looked at once more without conviction by odds.
    ${withSettings('settleFailure', () => ({ policy: 'adaptive' }))}
  odds-without-the-run-before (121): A failed run before a bisection of one member says nothing against this member.
    ${altering('bisectionStarted', () => ({ others: undefined }), 'settleFailure')}
  never-one-by-one (1): The members of a small batch that failed are bisected together although runs hardly flake.
    ${reading('settleFailure', () => ({ verdicts: [] }))}
  tip-unasked-for-single (4): A single pull request is FAILED although the branch was not tested by itself.
    ${withSettings('settleFailure', off)}
  tip-unasked-in-bisections (4): A bisection convicts its first member although the branch was not tested by itself.
    ${withSettings('advanceBisection', off)}
  tip-sound-after-push (4): A branch that has passed counts as sound also after a push.
    ${after('tipMoved', (queue) => void delete queue.pushedAt)}
  failed-tip-counts-as-passed (10): A branch that fails by itself counts as sound.
    ${applying('tipTested', () => ({ failure: null }))}
  tip-sound-from-the-start (38): A branch that passes counts as sound also before another lane has mended it.
    ${after('tipTested', ({ tipTest }) => void (tipTest && Object.assign(tipTest, { soundFrom: 0 })))}
  tip-passed-before-the-timeout (23): An earlier pass of the branch by itself makes a timeout count.
    ${after(
      'tipTested',
      ({ tipTest }) => void (tipTest && Object.assign(tipTest, { run: Infinity })),
    )}
  stop-ignored-by-the-order (21): While the branch fails by itself, pull requests enter the line.
    ${withSettings('formGroup', off)}
  stop-ignored-by-bisections (9): While the branch fails by itself, bisections go on.
    ${withSettings(['startBisectionRuns', 'lookOnceMore'], off)}
`

// Defects of the quarantine: which runs pass by it, for how long, and what follows.

type Entries = NonNullable<QueueView['quarantine']>['tests']

/** The queue with other entries in its quarantine. */
const withEntries =
  (change: (entries: [string, Entries[string]][]) => [string, Entries[string]][]): Misread =>
  ({ quarantine }) => {
    if (!quarantine) return {}
    const tests = Object.fromEntries(change(Object.entries(quarantine.tests)))
    return { quarantine: { ...quarantine, tests } }
  }

const emptied = withEntries(() => [])

/** No run leaned on a test in quarantine. */
const asIfClean: Misread = ({ verdicts, tipTest }) => ({
  verdicts: verdicts.map((verdict) => changed(verdict, { quarantined: undefined })),
  ...(tipTest ? { tipTest: { ...tipTest, leansOn: [] } } : {}),
})

/** No run that has proven members of a bisection leaned on a test in quarantine. */
const asIfBisectedClean: Misread = ({ bisections }) => ({
  bisections: bisections.map(
    (bisection) =>
      new Proxy(bisection, {
        get: (all, key): unknown =>
          key === 'verdicts' ? cleanVerdicts(all) : Reflect.get(all, key),
      }),
  ),
})

const cleanVerdicts = ({ verdicts, open }: BisectionView) =>
  Object.fromEntries(
    Object.entries(verdicts).map(([prefix, verdict]) => {
      const isOfProven = !verdict.run.tested.some((number) => open.includes(number))
      const run = isOfProven ? changed(verdict.run, { quarantined: undefined }) : verdict.run
      return [prefix, { ...verdict, run }]
    }),
  )

export const quarantiningDefects = catalogue`
  quarantine-proves-the-branch (32): What the branch passed only by its quarantine counts against others when that is over.
    ${reading(['testTip', 'settleFailure'], asIfClean)}
  quarantine-proves-in-bisections (925): What passed in a bisection only by the quarantine counts against others when that is over.
    ${reading(['testTip', 'advanceBisection', 'lookOnceMore'], asIfBisectedClean)}
  quarantine-without-end (24): A test stays in quarantine when its time is over.
    ${reading(
      'commands',
      withEntries((all) =>
        all.map(([test, entry]) => [test, changed(entry, { until: undefined })]),
      ),
    )}
  quarantine-ends-at-once (9): An entry that has an end has no effect before it either.
    ${reading(
      'commands',
      withEntries((all) => all.filter(([, { until }]) => until === undefined)),
    )}
  unnamed-failures-pass (10): While anything is in quarantine, a run that fails without naming a test passes.
    ${hearing('finishTestRun', (command, { quarantine }) =>
      quarantine && command.outcome === 'failed' && !command.failedTests
        ? { ...command, outcome: 'passed' }
        : command,
    )}
  one-in-quarantine-is-enough (8): A run passes if one of its failed tests is in quarantine.
    ${hearing('finishTestRun', (command, { quarantine }) => {
      if (!quarantine || command.outcome !== 'failed') return command
      const listed = command.failedTests?.filter(({ name }) => quarantine.tests[name]) ?? []
      return listed.length > 0 ? { ...command, failedTests: listed } : command
    })}
  no-quarantine-in-bisections (8): A run of a bisection fails in spite of the quarantine.
    ${reading('commands', (queue, command) => {
      const run = command?.type === 'finishTestRun' ? queue.testRuns[command.testRun] : undefined
      return run?.owner.kind === 'bisection' ? emptied(queue) : {}
    })}
  released-in-name-only (123): A test that is released stays in quarantine.
    ${applying('testReleased', () => null)}
  eliminated-by-a-test-in-quarantine (8): A failure in which only tests in quarantine failed convicts a member of a batch.
    ${reading('rules', emptied)}
  merges-do-not-name-the-quarantine (5): A merge does not say that tests in quarantine failed.
    ${altering('pullRequestMoved', () => ({ quarantined: undefined }))}
  merges-by-quarantine-not-counted (8): The queue does not count the merges that leaned on tests in quarantine.
    ${after('pullRequestMoved', ({ quarantine }, { to, quarantined }) => {
      if (quarantine && to === 'MERGED' && quarantined) quarantine.merges--
    })}
  renewed-as-if-new (9): A test that is put in quarantine again is there since now.
    ${altering('testQuarantined', ({ entry }, { now }) => ({ entry: { ...entry, since: now } }))}
  released-though-not-there (32): The release of a test that is not in quarantine is accepted.
    ${insteadOfRejecting('releaseTest', 'not in quarantine', () => null)}
  tip-stands-in-spite-of-the-quarantine (18): A branch that fails by itself is not tested at once when a test is put in quarantine.
    ${keeping('testQuarantined', (queue) => {
      const { tipTest } = queue
      return tipTest && (() => void (queue.tipTest = tipTest))
    })}
  flakes-enter-by-themselves (9): A test that failed in a run that was a flake is put in quarantine.
    ${altering('verdictContradicted', (event, { now: since, verdicts }) => {
      const flake = verdicts.find(({ run }) => run === event.testRun)
      const [test] = flake?.failedTests ?? []
      return test === undefined ? {} : [event, { type: 'testQuarantined', test, entry: { since } }]
    })}
  a-pass-by-quarantine-shows-flakes (32): A run that passed by the quarantine contradicts a failure of the same tests.
    ${after('verdictRecorded', ({ verdicts }, { quarantined }) => {
      const last = quarantined ? verdicts.pop() : undefined
      if (last) verdicts.push(changed(last, { quarantined: undefined, failedTests: [] }))
    })}
`
