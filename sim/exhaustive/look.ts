/** Runs a small case up to its last step, and says in which state it is and what can come next. */

import { isTerminal, type EngineParts, type QueueView, type TestRun } from '../../engine/index.ts'
import { Simulation } from '../run/simulation.ts'
import type { ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'
import type { Step } from '../steps/step.ts'
import { minutesOf, scenarioOf, stepMinutes } from './case.ts'
import type { RunUnderWay, SmallCase, SmallStep } from './case.ts'
import { allTraits, isRelation, quarantinedTest, type Scope, type Trait } from './scopes.ts'
import { signatureOf } from './signature.ts'

export type Look = {
  readonly signature: string
  /** Every step that can come next. */
  readonly next: readonly SmallStep[]
}

/** Looks at a case without judging it. */
export function lookAt(small: SmallCase, parts?: EngineParts): Look {
  const known = new Known(small)
  const watcher = new Watcher(small, known)
  const simulation = new Simulation(watcher.scenario, {
    isUnhashed: true,
    ...(parts ? { parts } : {}),
    onRunPlanned: (run) => watcher.onRun(run),
    observers: [() => (step) => watcher.onStep(step)],
  })
  while (!watcher.isOver && simulation.step());
  return { signature: watcher.signature, next: watcher.next }
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

/** What the steps themselves say. */
class Known {
  readonly small: SmallCase
  readonly traits: (Trait | null)[] = []
  /** Whether each pull request breaks of which that is known. */
  readonly breaks = new Map<number, boolean>()
  /** How many disturbances are left. */
  left: number

  constructor(small: SmallCase) {
    this.small = small
    this.left = small.scope.disturbances
    for (const step of small.steps) this.#read(step)
  }

  get isComplete(): boolean {
    return this.traits.length === this.small.scope.pullRequests
  }

  /** Another pull request may be submitted at the same instant. */
  get isFresh(): boolean {
    return !this.isComplete && this.small.steps.at(-1)?.is === 'submission'
  }

  traitOf(number: number): Trait | null {
    return this.traits[number - 1] ?? null
  }

  #read(step: SmallStep): void {
    if (step.is === 'submission') {
      this.traits.push(step.trait)
      if (step.trait !== null) this.left--
    } else if (step.is === 'result') {
      for (const number of step.run.held) {
        if (!this.breaks.has(number)) this.breaks.set(number, step.culprits.includes(number))
      }
      if (step.isFlake) this.left--
    } else this.left--
  }
}

/** Nobody has this number, so nothing happens. */
const nobody = 99

class Watcher {
  readonly #known: Known
  readonly #freshAt: number
  readonly #settledAt: number
  readonly #runs = new Map<number, RunUnderWay>()
  readonly #positions = new Map<number, number>()
  readonly #contents = new Map<TestRun['composition'], readonly number[]>()
  readonly #branch: number[] = []
  signature = ''
  next: readonly SmallStep[] = []
  isOver = false

  constructor({ scope, steps }: SmallCase, known: Known) {
    this.#known = known
    const last = minutesOf({ scope, steps }).at(-1) ?? stepMinutes * scope.brokenBefore
    this.#freshAt = toMillis(last)
    this.#settledAt = toMillis(last + stepMinutes - 1)
  }

  /** The case, with a command of no effect where the state is read. */
  get scenario(): ReturnType<typeof scenarioOf> {
    const scenario = scenarioOf(this.#known.small)
    const looks = [this.#freshAt, this.#settledAt].map((at): ScenarioEvent => ({
      at: toMinutes(at),
      do: 'forget',
      number: nobody,
    }))
    return { ...scenario, events: [...(scenario.events ?? []), ...looks] }
  }

  onRun(run: TestRun): void {
    const tested = run.tested.map((number) => {
      const position = (this.#positions.get(number) ?? 0) + 1
      this.#positions.set(number, position)
      return { number, run: position }
    })
    const held = [...run.base, ...run.tested]
    this.#runs.set(run.id, { startedAt: toMinutes(run.startedAt), tested, held })
    this.#contents.set(run.composition, [...this.#branch.slice(0, run.tip), ...run.submissions])
  }

  onStep({ command, events, queue }: Step): void {
    for (const event of events) {
      if (event.type !== 'tipMoved') continue
      const { number } = event
      this.#branch.push(number === null ? 0 : (queue.pullRequests[number]?.submission ?? 0))
    }
    if (command.type !== 'forget') return
    if (command.at === this.#freshAt && this.#known.isFresh) this.#sign(queue)
    if (command.at !== this.#settledAt) return
    if (!this.#known.isFresh) this.#sign(queue)
    this.next = [...this.#steps(queue)]
    this.isOver = true
  }

  #sign(queue: QueueView): void {
    const known = this.#known
    const { scope } = known.small
    const numbers = known.traits.map((_, index) => index + 1)
    const traces = numbers.filter((number) => leavesTrace(number, queue, known))
    const nameOf = (number: number): string | null => {
      const at = traces.indexOf(number)
      if (at !== -1) return `p${at}`
      return number > numbers.length && number <= scope.pullRequests ? 'next' : null
    }
    const truth = traces.map((number) => [
      ...[known.breaks.get(number) ?? null, known.traitOf(number)],
      queue.pullRequests[number]?.state,
    ])
    const left = [known.left, scope.pullRequests - numbers.length, known.isFresh]
    const numberOf = (submission: number): number =>
      submission > scope.brokenBefore ? submission - scope.brokenBefore : nobody
    const around = { branch: this.#branch, contents: this.#contents, nameOf, numberOf }
    this.signature = signatureOf(queue, around, JSON.stringify([left, truth]))
  }

  *#steps(queue: QueueView): Generator<SmallStep> {
    yield* submissionsAfter(this.#known)
    for (const { id, owner } of Object.values(queue.testRuns)) {
      const run = this.#runs.get(id)
      if (run && owner.kind !== 'tip') yield* resultsOf(run, this.#known)
    }
    if (this.#known.left === 0) return
    yield { is: 'pushToBranch', number: 0 }
    if (queue.quarantine?.tests[quarantinedTest]) yield { is: 'release', number: 0 }
    for (const number of this.#known.traits.keys()) {
      if (!isLive(queue, number + 1)) continue
      for (const is of ['cancel', 'restart'] as const) yield { is, number: number + 1 }
    }
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
  const concerns = [number, number + 1].some((each) => isRelation(known.traitOf(each)))
  const isOnBranch = queue.pullRequests[number]?.state === 'MERGED'
  return isLast || concerns || (isOnBranch && known.breaks.get(number) === true)
}

function* submissionsAfter(known: Known): Generator<SmallStep> {
  if (known.isComplete) return
  const isFirst = known.traits.length === 0
  const isLast = known.traits.length === known.small.scope.pullRequests - 1
  for (const trait of known.left === 0 ? [null] : [null, ...allTraits]) {
    const isPossible = trait === 'early' ? !isLast : !isFirst || !isRelation(trait)
    if (!isPossible) continue
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
  if (known.small.scope.hasQuarantine) yield { ...flake, test: quarantinedTest }
}

function subsetsOf(numbers: readonly number[]): number[][] {
  let all: number[][] = [[]]
  for (const number of numbers) all = all.flatMap((each) => [each, [...each, number]])
  return all
}
