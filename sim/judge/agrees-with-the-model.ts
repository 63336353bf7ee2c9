/**
 * A property that runs the model beside the engine. The model is another reading of
 * engine/SPEC.md: it receives the same commands, and says what must follow from them.
 */

import type {
  Command,
  Configuration,
  Event,
  EventOf,
  QueueView,
  TestRun,
} from '../../engine/index.ts'
import { nameOf, nextWake, take } from '../model/commands.ts'
import { type Effect, Model, type PullRequest, type Run } from '../model/state.ts'
import type { Property } from '../observe/property.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'

// The lines of text in which the engine and the model are compared.

/** Something that the engine did, or that the model expects. */
type Said = {
  /** Lines of one subject have an order among themselves. */
  readonly subject: string
  /** What kind of effect it is, or the new state of the pull request. */
  readonly topic: string
  readonly text: string
  readonly numbers: readonly number[]
}

const said = (topic: string, text: string, numbers: readonly number[] = []): Said => {
  return { subject: topic, topic, text, numbers }
}

/** What happened to one pull request. Departures also have an order among themselves. */
function lifeOf(number: number, to: string, text: string): Said[] {
  const life = said(to, `${number}: ${text}`, [number])
  const isEnd = to === 'MERGED' || to === 'FAILED' || to === 'CANCELLED'
  const departures = isEnd ? [{ ...life, subject: 'departures', text: `${number} ${to}` }] : []
  return [{ ...life, subject: `pull request ${number}` }, ...departures]
}

type Tested = Pick<TestRun, 'id' | 'tip' | 'base' | 'tested'>

/** What a run tests: "main run 9 on 7 commits 1 2 > 3" is 3 on top of 1, 2 and the seventh commit. */
const textOfRun = (kind: TestRun['owner']['kind'], { id, tip, base, tested }: Tested): string =>
  `${kind} run ${id} on ${[tip, 'commits', ...base, '>', ...tested].join(' ')}`

/** A run that starts: also how often it was tried, and when it times out. */
const textOfStart = (
  kind: TestRun['owner']['kind'],
  run: Tested & Pick<TestRun, 'attempt' | 'deadline'>,
): string =>
  `${textOfRun(kind, run)} (attempt ${run.attempt}, until minute ${toMinutes(run.deadline)})`

/** A failure waits for its successors from now on. */
const held = (run: number, until: number): Said =>
  said('holds', `hold the failure of run ${run} until minute ${toMinutes(until)}`)

const forgotten = (number: number): Said => said('forgets', `forget ${number}`, [number])

/** Cancelled runs have no order among themselves. */
function cancelled(run: string, cause: string, numbers: readonly number[]): Said {
  const text = `cancel ${run} (${cause})`
  return { ...said('cancelled runs', text, numbers), subject: text }
}

type Evidence = {
  readonly failedIn: number | null
  readonly tests: readonly string[]
  readonly passedWithout: number | null
}

/** The evidence of a pull request that is FAILED (E-21). */
function textOfEvidence({ failedIn, tests, passedWithout }: Evidence): string {
  if (failedIn === null) return ', failed in no run'
  return `, failed in run ${failedIn} [${tests.join(', ')}], passed in run ${passedWithout ?? 'none'}`
}

/** The tests in quarantine in spite of which a run passed (E-272). */
const textOfQuarantine = (tests: readonly string[]): string =>
  tests.length === 0 ? '' : `, in spite of [${tests.join(', ')}]`

/** What the model expects, in the lines of text in which the engine says what it does. */
function wordsOfTheModel(effect: Effect): Said[] {
  if (effect.is === 'move') return moveInModel(effect)
  if (effect.is === 'submission') return lifeOf(effect.number, effect.to, `submitted, ${effect.to}`)
  if (effect.is === 'save') return [said('saved runs', `saved run ${effect.run.id}`)]
  if (effect.is === 'hold') return [held(effect.run.id, effect.until)]
  if (effect.is === 'queue') return [said('queue', `queue ${effect.from} to ${effect.to}`)]
  if (effect.is === 'commit') {
    return [said('branch', effect.number === null ? 'push' : `merge ${effect.number}`)]
  }
  if (effect.is === 'forget') return [forgotten(effect.number)]
  if (effect.is === 'request') {
    const numbers = numbersOf(effect.merging)
    return [said('merge requests', `request the merge of ${numbers.join(' ')}`, numbers)]
  }
  const { run } = effect
  const tested = numbersOf(run.tested)
  const { id, tip, attempt, deadline } = run
  const shown = { id, tip, attempt, deadline, base: numbersOf(run.base), tested }
  if (effect.is === 'cancel') {
    return [cancelled(textOfRun(kindOf(run), shown), effect.cause, tested)]
  }
  return [said(`${kindOf(run)} runs`, textOfStart(kindOf(run), shown), tested)]
}

function moveInModel(effect: Extract<Effect, { is: 'move' }>): Said[] {
  const { number, from, to, reason, evidence, leftWith, despite } = effect
  const { failure, passed } = evidence ?? {}
  const [failedIn, passedWithout] = [failure?.run.id ?? null, passed?.run.id ?? null]
  const shown = textOfEvidence({ failedIn, tests: failure?.tests ?? [], passedWithout })
  const text = `${from} to ${to} (${reason ?? 'no reason'})`
  if (to === 'CANCELLED' && leftWith !== null) return lifeOf(number, to, `${text} with ${leftWith}`)
  return lifeOf(number, to, to === 'FAILED' ? text + shown : text + textOfQuarantine(despite))
}

const kindOf = ({ of, isOfTip }: Run): 'main' | 'bisection' | 'tip' =>
  isOfTip ? 'tip' : of ? 'bisection' : 'main'

const numbersOf = (all: readonly PullRequest[]): number[] => all.map(({ number }) => number)

/** What the engine does, in the lines of text in which it is compared with the model. */
function moveOf(event: EventOf<'pullRequestMoved'>): Said[] {
  const { number, from, to, reason, evidence, leftWith, quarantined = [] } = event
  const { failedIn = null, failedTests = [], passedWithout = null } = evidence ?? {}
  const shown = textOfEvidence({ failedIn, tests: failedTests.map(nameOf), passedWithout })
  const text = `${from} to ${to} (${reason ?? 'no reason'})`
  if (leftWith !== undefined) return lifeOf(number, to, `${text} with ${leftWith}`)
  return lifeOf(number, to, to === 'FAILED' ? text + shown : text + textOfQuarantine(quarantined))
}

/** What happens to a run, or to the group whose last run it was. */
function ofRun(
  event: EventOf<'testRunStarted' | 'testRunCancelled' | 'holdStarted'>,
  runs: Map<number, TestRun>,
): Said {
  if (event.type === 'testRunStarted') {
    const { run } = event
    const { kind } = run.owner
    runs.set(run.id, run)
    return said(`${kind} runs`, textOfStart(kind, run), run.tested)
  }
  if (event.type === 'testRunCancelled') {
    const run = runs.get(event.testRun)
    const text = run ? textOfRun(run.owner.kind, run) : 'an unknown run'
    return cancelled(text, event.cause, run?.tested ?? [])
  }
  const failed = [...runs.values()].findLast(
    ({ owner }) => owner.kind === 'main' && owner.group === event.group,
  )
  return held(failed?.id ?? 0, event.heldUntil)
}

/** What the engine says. `runs` knows every run so far, and learns the new ones. */
function wordsOfTheEngine(event: Event, runs: Map<number, TestRun>): Said[] {
  const { type } = event
  if (type === 'pullRequestSubmitted') {
    return lifeOf(event.number, event.state, `submitted, ${event.state}`)
  }
  if (type === 'pullRequestMoved') return moveOf(event)
  if (type === 'testRunStarted' || type === 'testRunCancelled' || type === 'holdStarted') {
    return [ofRun(event, runs)]
  }
  if (type === 'testRunSaved') return [said('saved runs', `saved run ${event.testRun}`)]
  if (type === 'pullRequestForgotten') return [forgotten(event.number)]
  if (type === 'queueStateChanged') return [said('queue', `queue ${event.from} to ${event.to}`)]
  if (type === 'mergeRequested') {
    const { numbers = [event.number] } = event
    return [said('merge requests', `request the merge of ${numbers.join(' ')}`, numbers)]
  }
  if (type !== 'tipMoved') return []
  return [said('branch', event.number === null ? 'push' : `merge ${event.number}`)]
}

/** The settings of the model: the value of each one that a queue was not given. */
const defaults: Configuration = {
  policy: 'documented',
  mode: 'single',
  concurrency: 5,
  bisectionConcurrency: null,
  testingTimeoutMinutes: 300,
  pendingFailureDepth: 0,
  canOptimisticallyMerge: false,
  batch: false,
  batchingMaxWaitTimeMinutes: 5,
  batchingMinSize: 4,
  mergeMethod: 'squash',
  directMergeMode: 'off',
  tipTestMode: 'policy',
  optimizationMode: 'off',
  requiredStatuses: null,
  createPrsForTestingBranches: true,
  commentsEnabled: true,
  commandsEnabled: true,
  statusCheckEnabled: true,
  extensionEnabled: true,
  labelCommandsEnabled: true,
  stateLabelsEnabled: false,
  enqueueingLabel: 'merge-queue-submit',
}

type Difference = { readonly story: string; readonly numbers: readonly number[] }

export const agreesWithTheModel: Property = {
  name: 'agrees-with-the-model',
  sentence:
    'What moves, starts, is cancelled, merges and leaves, why and in which order, is what a second reading of the specification expects.',
  watch({ inputs, beginning, check }) {
    const queue = beginning()
    const model = modelOf(queue, inputs?.scenario.queue ?? queue.configuration)
    const unlike = differentSettings(queue.configuration, model.settings)
    const runs = new Map<number, TestRun>()
    let wake = Infinity
    let isOver = false
    const judge = (command: Command, sequence: number, difference: Difference | null): void => {
      isOver = difference !== null
      const minute = toMinutes(command.at)
      check(!isOver, { at: command.at, sequence }, () => ({
        story: `After ${command.type} at minute ${minute}, ${difference?.story ?? ''}.`,
        pullRequests: difference?.numbers ?? [],
      }))
    }
    return {
      atRest({ step: { command, events, sequence } }) {
        if (isOver) return
        for (const event of events) {
          if (event.type === 'woken') wake = Infinity
          if (event.type === 'wakeScheduled') wake = event.wakeAt
        }
        const difference = differenceAfter(model, command, { events, runs })
        // A property that finds the reason in the same step says more, so it comes first.
        judge(command, sequence + events.length, unlike ?? difference ?? lateWake(model, wake))
      },
      atRefusal(command, sequence) {
        if (isOver) return
        judge(command, sequence, differenceAfter(model, command, { events: null, runs }))
      },
    }
  },
}

/** The model of a queue before its first command, with the settings that it was given. */
export function modelOf(
  { state, codeHost, quarantine }: QueueView,
  { state: _state, ...given }: NonNullable<Scenario['queue']> = {},
): Model {
  const model = new Model({ ...defaults, ...given }, state, codeHost)
  for (const [test, { until = Infinity }] of Object.entries(quarantine?.tests ?? {})) {
    model.quarantine.set(test, until)
  }
  return model
}

type Answer = {
  /** Null: the engine refuses the command. */
  readonly events: readonly Event[] | null
  /** Every run so far. It learns the new ones. */
  readonly runs: Map<number, TestRun>
}

/** Lets the model take a command that the engine has answered; null if they agree. */
export function differenceAfter(
  model: Model,
  command: Command,
  { events, runs }: Answer,
): Difference | null {
  const isAccepted = take(model, command)
  if (events === null) return isAccepted ? accepts : null
  const done = events.flatMap((event) => wordsOfTheEngine(event, runs))
  return isAccepted ? firstDifference(model.effects.flatMap(wordsOfTheModel), done) : refuses
}

function differentSettings(its: Configuration, mine: Configuration): Difference | null {
  const values = new Map<string, unknown>(Object.entries(its))
  const unlike = Object.entries(mine)
    .filter(([name, value]) => JSON.stringify(values.get(name)) !== JSON.stringify(value))
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  if (unlike.length === 0) return null
  return {
    story: `the model expects other settings at the start: ${unlike.join(', ')}`,
    numbers: [],
  }
}

const refuses = { story: 'the model refuses the command', numbers: [] }
const accepts = { story: 'the model accepts the command, and the engine refuses it', numbers: [] }

/** E-8: a wake-up is requested that comes in time. An earlier one changes nothing. */
function lateWake(model: Model, wake: number): Difference | null {
  const due = nextWake(model)
  if (wake <= due) return null
  const asked = wake === Infinity ? 'for none' : `for minute ${toMinutes(wake)}`
  const story = `the model expects a wake-up by minute ${toMinutes(due)} (E-8), and the engine asks ${asked}`
  return { story, numbers: [] }
}

/** Compares subject by subject. */
function firstDifference(expected: readonly Said[], done: readonly Said[]): Difference | null {
  const left = [...done]
  for (const mine of expected) {
    const at = left.findIndex(({ subject }) => subject === mine.subject)
    const [its] = at === -1 ? [] : left.splice(at, 1)
    if (its?.text !== mine.text) return between(mine, its)
  }
  return left[0] ? between(undefined, left[0]) : null
}

function between(mine: Said | undefined, its: Said | undefined): Difference {
  const expected = mine ? `${mine.text} (${rulesOf[mine.topic] ?? ''})` : 'nothing more'
  const story = `the model expects ${expected}, and the engine says ${its?.text ?? 'nothing more'}`
  return { story, numbers: [...new Set([...(mine?.numbers ?? []), ...(its?.numbers ?? [])])] }
}

/** The rules by which the model expects an effect, by its topic: a difference from the model names them. */
const rulesOf: Readonly<Record<string, string>> = {
  NOT_READY: 'E-17 to E-19, E-261',
  PENDING:
    'E-17, E-18, E-27, E-36, E-55, E-61, E-70, E-89, E-95, E-105, E-107, E-109, E-187, E-190, E-193, E-234, E-235, E-237, E-261, E-266',
  TESTING: 'E-12, E-66, E-70, E-90, E-189, E-190',
  TESTS_PASSED: 'E-43, E-50, E-73, E-271 to E-273',
  PENDING_FAILURE: 'E-54, E-67, E-187, E-192, E-266',
  MERGED: 'E-40, E-43, E-45, E-110, E-272',
  FAILED:
    'E-21, E-44, E-60, E-61, E-64, E-66, E-68, E-73, E-74, E-200 to E-203, E-230, E-236, E-237',
  CANCELLED: 'E-46, E-105, E-264',
  'main runs':
    'E-12, E-22 to E-26, E-61 to E-64, E-158, E-189, E-190, E-210, E-232, E-262 to E-267',
  'bisection runs': 'E-71 to E-81, E-141, E-201 to E-203, E-230, E-232',
  'tip runs': 'E-229 to E-237',
  'cancelled runs':
    'E-36, E-50, E-55, E-64, E-84, E-90, E-95, E-105, E-107, E-109, E-187, E-229, E-235',
  holds: 'E-56, E-57, E-131 to E-134, E-226',
  'saved runs': 'E-78',
  'merge requests': 'E-10, E-43',
  branch: 'E-43, E-114',
  forgets: 'E-211, E-268',
  queue: 'E-102, E-103',
}
