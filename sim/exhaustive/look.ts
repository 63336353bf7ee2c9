/** Runs a small case up to its last step, and says in which state it is and what can come next. */

import { engineParts, isTerminal, type QueueView, type TestRun } from '../../engine/index.ts'
import type { StepReader } from '../observe/run-context.ts'
import { Simulation } from '../run/simulation.ts'
import type { ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'
import type { Step } from '../steps/step.ts'
import { minutesOf, scenarioOf, stepMinutes } from './case.ts'
import type { RunUnderWay, SmallCase, SmallStep } from './case.ts'
import { allTraits, isRelation, quarantinedTest, type Scope } from './scopes.ts'
import { signatureOf } from './signature.ts'

export type Look = {
  readonly signature: string
  /** Every step that can come next. */
  readonly next: readonly SmallStep[]
}

/** Looks at a case without judging it. */
export function lookAt(small: SmallCase, parts = engineParts): Look {
  const known = knownBy(small)
  const course = new Course()
  const last = minutesOf(small).at(-1) ?? stepMinutes * small.scope.brokenBefore
  const [freshAt, settledAt] = [last, last + stepMinutes - 1]
  const scenario = scenarioOf(small)
  // A command of no effect where the state is read.
  const looks = [freshAt, settledAt].map((at): ScenarioEvent => ({
    at,
    do: 'forget',
    number: nobody,
  }))
  const look = { signature: '', next: new Array<SmallStep>(), isOver: false }
  const observer = (): StepReader => (step) => {
    course.read(step)
    const { command, queue } = step
    if (command.type !== 'forget') return
    const isSettled = command.at === toMillis(settledAt)
    if (isSettled !== known.isFresh) look.signature = signed(queue, course, known)
    if (isSettled) look.next = [...stepsAfter(queue, course, known)]
    look.isOver = isSettled
  }
  const simulation = new Simulation(
    { ...scenario, events: [...(scenario.events ?? []), ...looks] },
    { parts, isUnhashed: true, observers: [observer], onRunPlanned: (run) => course.plan(run) },
  )
  while (!look.isOver && simulation.step());
  return { signature: look.signature, next: look.next }
}

/** Goes from the first state on, each step chosen, until nothing can happen any more. */
export function walk(
  scope: Scope,
  choose: (steps: readonly SmallStep[], index: number) => SmallStep | undefined,
): SmallCase {
  const steps: SmallStep[] = []
  for (;;) {
    const step = choose(lookAt({ scope, steps }).next, steps.length)
    if (!step) return { scope, steps }
    steps.push(step)
  }
}

type Known = ReturnType<typeof knownBy>

/** What the steps themselves say. */
function knownBy({ scope, steps }: SmallCase) {
  const traits = steps.flatMap((step) => (step.is === 'submission' ? [step.trait] : []))
  /** Whether each pull request breaks of which that is known. */
  const breaks = new Map<number, boolean>()
  for (const step of steps) {
    if (step.is !== 'result') continue
    for (const number of step.run.held) {
      if (!breaks.has(number)) breaks.set(number, step.culprits.includes(number))
    }
  }
  const isComplete = traits.length === scope.pullRequests
  return {
    scope,
    traits,
    breaks,
    isComplete,
    /** How many disturbances are left. */
    left: scope.disturbances - steps.filter(isDisturbance).length,
    /** Another pull request may be submitted at the same instant. */
    isFresh: !isComplete && steps.at(-1)?.is === 'submission',
  }
}

function isDisturbance(step: SmallStep): boolean {
  if (step.is === 'submission') return step.trait !== null
  return step.is === 'result' ? step.isFlake : true
}

/** Nobody has this number, so nothing happens. */
const nobody = 99

/** What a run has shown so far. */
class Course {
  readonly runs = new Map<number, RunUnderWay>()
  readonly contents = new Map<TestRun['composition'], readonly number[]>()
  readonly branch: number[] = []
  readonly #positions = new Map<number, number>()

  plan(run: TestRun): void {
    const tested = run.tested.map((number) => {
      const position = (this.#positions.get(number) ?? 0) + 1
      this.#positions.set(number, position)
      return { number, run: position }
    })
    const held = [...run.base, ...run.tested]
    this.runs.set(run.id, { startedAt: toMinutes(run.startedAt), tested, held })
    this.contents.set(run.composition, [...this.branch.slice(0, run.tip), ...run.submissions])
  }

  read({ events, queue }: Step): void {
    for (const event of events) {
      if (event.type !== 'tipMoved') continue
      const { number } = event
      this.branch.push(number === null ? 0 : (queue.pullRequests[number]?.submission ?? 0))
    }
  }
}

/** The signature of the state, together with what the queue does not know. */
function signed(queue: QueueView, { branch, contents }: Course, known: Known): string {
  const { scope, traits, breaks, left, isFresh } = known
  const numbers = traits.map((_, index) => index + 1)
  const traces = numbers.filter((number) => leavesTrace(number, queue, known))
  const nameOf = (number: number): string | null => {
    const at = traces.indexOf(number)
    if (at !== -1) return `p${at}`
    return number > numbers.length && number <= scope.pullRequests ? 'next' : null
  }
  const truth = traces.map((number) => [
    ...[breaks.get(number) ?? null, traits[number - 1]],
    queue.pullRequests[number]?.state,
  ])
  const ahead = [left, scope.pullRequests - numbers.length, isFresh]
  const numberOf = (submission: number): number =>
    submission > scope.brokenBefore ? submission - scope.brokenBefore : nobody
  const around = { branch, contents, nameOf, numberOf }
  return signatureOf(queue, around, JSON.stringify([ahead, truth]))
}

function* stepsAfter(queue: QueueView, { runs }: Course, known: Known): Generator<SmallStep> {
  yield* submissionsAfter(known)
  for (const { id, owner } of Object.values(queue.testRuns)) {
    const run = runs.get(id)
    if (run && owner.kind !== 'tip') yield* resultsOf(run, known)
  }
  if (known.left === 0) return
  yield { is: 'pushToBranch', number: 0 }
  if (queue.quarantine?.tests[quarantinedTest]) yield { is: 'release', number: 0 }
  for (const number of known.traits.keys()) {
    if (!isLive(queue, number + 1)) continue
    for (const is of ['cancel', 'restart'] as const) yield { is, number: number + 1 }
  }
}

function isLive({ pullRequests }: QueueView, number: number): boolean {
  const found = pullRequests[number]
  return found !== undefined && !isTerminal(found.state)
}

/** True if what becomes of a pull request still counts. */
function leavesTrace(number: number, queue: QueueView, known: Known): boolean {
  if (isLive(queue, number)) return true
  const isLast = number === known.traits.length && !known.isComplete
  const concerns = known.traits.slice(number - 1, number + 1).some(isRelation)
  const isOnBranch = queue.pullRequests[number]?.state === 'MERGED'
  return isLast || concerns || (isOnBranch && known.breaks.get(number) === true)
}

function* submissionsAfter(known: Known): Generator<SmallStep> {
  if (known.isComplete) return
  const isFirst = known.traits.length === 0
  const isLast = known.traits.length === known.scope.pullRequests - 1
  const isAwaited = known.traits.at(-1) === 'early'
  for (const trait of known.left === 0 ? [null] : [null, ...allTraits]) {
    const isPossible = trait === 'early' ? !isLast : !isFirst || !isRelation(trait)
    const isCircle = isAwaited && trait === 'stacked'
    if (!isPossible || isCircle) continue
    yield { is: 'submission', trait, isTogether: false }
    if (known.isFresh) yield { is: 'submission', trait, isTogether: true }
  }
}

/** Every way in which a run can end: those of which nothing is known may break or not. */
function* resultsOf(run: RunUnderWay, known: Known): Generator<SmallStep> {
  const unknown = run.held.filter((number) => !known.breaks.has(number))
  const fails = run.held.some((number) => known.breaks.get(number) === true)
  for (const culprits of subsetsOf(unknown)) yield { is: 'result', run, culprits, isFlake: false }
  if (known.left === 0 || fails) return
  const flake = { is: 'result', run, culprits: [], isFlake: true } as const
  yield flake
  if (known.scope.hasQuarantine) yield { ...flake, test: quarantinedTest }
}

function subsetsOf(numbers: readonly number[]): number[][] {
  let all: number[][] = [[]]
  for (const number of numbers) all = all.flatMap((each) => [each, [...each, number]])
  return all
}
