/**
 * Simulates a policy with the simulator's traffic, truth, run lengths and flakes. The random draws
 * are keyed by what they decide. So a run of the same pull requests has the same length and the
 * same flakes under every policy, including the real engine.
 */

import type { Millis, TestRun } from '../../engine/index.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import { mostSubmissions } from '../../sim/run/resubmissions.ts'
import { Schedule } from '../../sim/run/schedule.ts'
import { type ScheduledEvent, VirtualClock } from '../../sim/run/virtual-clock.ts'
import { type Scenario, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import { toMillis } from '../../sim/scenario/time.ts'
import { World } from '../../sim/world/world.ts'
import { BranchProjection, figuresOfPolicy } from './figures.ts'
import type { ComparedFigures, PolicyTally } from './figures.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './queue.ts'

export type PolicyOutcome = {
  readonly tally: PolicyTally
  readonly proofs: Pick<Proofs, 'midBatch' | 'clearedBySuccessor'>
  /** The lengths of runs that passed. */
  readonly passedMs: readonly Millis[]
  /** When the last one left the queue. What is due later is of runs that were cancelled. */
  readonly endedAt: Millis
  /** What the simulation has cost. */
  readonly events: number
}

export function simulatePolicy(
  scenario: Scenario,
  make: MakePolicy,
  slots: number,
): ComparedFigures {
  return figuresOfPolicy(policyOutcome(scenario, make, slots).tally, scenario.prices)
}

/**
 * Simulates the scenario with a policy until all pull requests are merged or evicted. Throws if the
 * policy leaves pull requests in its queue.
 */
export function policyOutcome(scenario: Scenario, make: MakePolicy, slots: number): PolicyOutcome {
  return new PolicySimulation(scenario, slots).run(make)
}

type Running = { readonly since: Millis; readonly trees: readonly number[] }

class PolicySimulation {
  now: Millis = 0
  readonly #slots: number
  /** Scheduled events, and what the policy did. */
  #events = 0
  readonly #clock: VirtualClock
  readonly #world: World
  readonly #projection: BranchProjection
  readonly #proofs = new Proofs()
  readonly #passedMs: Millis[] = []
  readonly #running = new Map<number, Running>()
  /** All pull requests that were submitted. */
  readonly #known = new Set<number>()
  readonly #alone = new Set<number>()
  /** What each depends on that depends on any. */
  readonly #dependsOn = new Map<number, readonly number[]>()
  /** Those that come only when what they depend on has merged, or is in a queue that takes stacks. */
  #heldBack: number[] = []
  /** Pull requests that were evicted and are to come again. */
  readonly #comingAgain = new Set<number>()
  /** How long after its eviction one comes again; null: nobody does. */
  readonly #againAfterMs: Millis | null
  #lastRun = 0

  constructor(scenario: Scenario, slots: number) {
    const { seed = scenarioDefaults.seed, tieOrder = 'submission', resubmit } = scenario
    const draw = drawsOf(seed)
    this.#slots = slots
    this.#againAfterMs = resubmit ? toMillis(resubmit.afterMinutes) : null
    this.#clock = new VirtualClock(draw, tieOrder)
    // Other queues have no quarantine.
    this.#world = new World({ ...scenario, quarantine: [] }, draw)
    this.#projection = new BranchProjection(this.#world)
    const presenceOf = (number: number): 'to come' | 'in the queue' | 'gone' => {
      if (!this.#known.has(number)) return 'to come'
      const isHere = this.#projection.has(number) || this.#heldBack.includes(number)
      return isHere ? 'in the queue' : 'gone'
    }
    new Schedule(scenario, draw, {
      clock: this.#clock,
      world: this.#world,
      presenceOf,
      onSubmission: ({ number, noBatch }) => {
        if (noBatch) this.#alone.add(number)
      },
    }).begin()
  }

  run(make: MakePolicy): PolicyOutcome {
    const policy = make(this.#host())
    let endedAt: Millis = 0
    for (let next = this.#clock.next(); next; next = this.#clock.next()) {
      const before = this.#projection.size
      this.#events++
      this.#apply(next, policy)
      if (before + this.#projection.size > 0) endedAt = this.now
    }
    if (this.#projection.size === 0) {
      return {
        tally: this.#projection.tally(endedAt),
        proofs: this.#proofs,
        passedMs: this.#passedMs,
        endedAt,
        events: this.#events,
      }
    }
    throw new Error(`the policy left ${this.#projection.size} pull requests in its queue`)
  }

  #apply(scheduled: ScheduledEvent, policy: Policy): void {
    this.now = scheduled.at
    for (const command of scheduled.commands()) {
      if (command.type !== 'submitPullRequest') continue
      const { number, dependsOn = [] } = command
      if (this.#known.has(number) && !this.#comingAgain.delete(number)) continue
      if (!this.#known.has(number) && dependsOn.length > 0) this.#dependsOn.set(number, dependsOn)
      this.#known.add(number)
      this.#world.submit(number, this.now)
      this.#projection.came(number, this.now)
      this.#heldBack.push(number)
    }
    this.#submitReady(policy)
    do policy.advance()
    while (this.#submitReady(policy))
  }

  /** Submits those of whom all that they depend on has merged, or is in the queue if it takes stacks (S-362). */
  #submitReady(policy: Policy): boolean {
    const isThere = (below: number): boolean =>
      this.#world.main.holds(below) || (policy.takesStacks && this.#projection.has(below))
    const waiting = this.#heldBack
    this.#heldBack = []
    for (const number of waiting) {
      if (this.#dependsOn.get(number)?.every(isThere) === false) {
        this.#heldBack.push(number)
        continue
      }
      this.#projection.submitted(number, this.now)
      policy.submitted(number)
    }
    return this.#heldBack.length < waiting.length
  }

  #host(): Host {
    return {
      now: () => this.now,
      freeSlots: () => this.#slots - this.#running.size,
      start: (run, onVerdict) => this.#start(run, onVerdict),
      cancel: ({ id }) => this.#end(id),
      merge: (numbers) => {
        for (const number of numbers) this.#merge(number)
      },
      evict: (number, cause) => {
        this.#events++
        const leaving = this.#onTopOf(number)
        const comesAgain = this.#projection.evicted(number, cause)
        for (const each of leaving) this.#projection.leftWithAnother(each)
        for (const each of [number, ...leaving]) {
          this.#world.leave(each, this.now, false)
          if (comesAgain) this.#submitAgain(each)
        }
        return leaving
      },
      below: (number) => this.#below(number),
      mergesOn: (number, ahead) => !this.#conflictsWith(number, ahead),
      isAlone: (number) => this.#alone.has(number),
      wakeAt: (at) => this.#at(at, 'wake', () => undefined),
      failsAlways: (composition) => this.#world.failsAlways(composition),
    }
  }

  /** All in the queue that it depends on, directly or through others. */
  #below(number: number): number[] {
    const direct = this.#dependsOn.get(number)?.filter((other) => this.#projection.has(other)) ?? []
    return [...new Set([...direct.flatMap((other) => this.#below(other)), ...direct])]
  }

  /** All in the queue that depend on it, directly or through others. */
  #onTopOf(number: number): number[] {
    const all = [...this.#dependsOn.keys()]
    return all.filter((other) => this.#projection.has(other) && this.#below(other).includes(number))
  }

  /** Its author submits it again after a while, by the rule that holds for the engine (S-242). */
  #submitAgain(number: number): void {
    const afterMs = this.#againAfterMs
    if (afterMs === null || this.#projection.submissionsOf(number) >= mostSubmissions) return
    this.#comingAgain.add(number)
    const at = this.now + afterMs
    this.#clock.schedule({
      at,
      kind: 'submission',
      name: `${number} again`,
      commands: () => [{ type: 'submitPullRequest', number, at }],
    })
  }

  #start({ base, tested }: Omit<PolicyRun, 'id'>, onVerdict: (hasPassed: boolean) => void) {
    if (this.#running.size >= this.#slots) throw new Error('no slot is free')
    const id = ++this.#lastRun
    const run = { id, base, tested }
    const { key, lengthMs, outcome } = this.#world.plannedRunOf(
      testRunOf(run, { tip: this.#world.main.length, at: this.now }),
    )
    const trees = this.#proofs.treesOf([...base, ...tested])
    this.#events++
    this.#running.set(id, { since: this.now, trees })
    this.#projection.runStarted()
    this.#at(this.now + lengthMs, key, () => {
      if (!this.#running.has(id)) return
      this.#end(id)
      if (outcome === 'passed') {
        this.#passedMs.push(lengthMs)
        this.#proofs.passed(trees, tested.length)
      }
      onVerdict(outcome === 'passed')
    })
    return run
  }

  #end(id: number): void {
    const running = this.#running.get(id)
    if (!running) return
    this.#running.delete(id)
    this.#projection.runEnded(this.now - running.since)
  }

  #merge(number: number): void {
    if (this.#below(number).length > 0) throw new Error(`${number} merges before its base`)
    this.#events++
    this.#proofs.merged(number)
    this.#world.main.add(number)
    this.#world.leave(number, this.now, true)
    this.#projection.merged(number, this.now)
    this.#dependsOn.delete(number)
  }

  #conflictsWith(number: number, ahead: readonly number[]): boolean {
    const { main, truth } = this.#world
    return truth.conflictsOf(number).some((other) => main.holds(other) || ahead.includes(other))
  }

  #at(at: Millis, name: string | number, work: () => void): void {
    this.#clock.schedule({
      at,
      kind: name === 'wake' ? 'wake' : 'result',
      name,
      commands: () => {
        work()
        return []
      },
    })
  }
}

// Counts merges of a simulated policy without a passed run of exactly that tree, by kind.

/** A tree of the branch: the order of all merges that led to it, as a number. */
type Tree = number

class Proofs {
  /** In the middle of a batch that passed. */
  midBatch = 0
  /** Only a run of successors on top has passed. */
  clearedBySuccessor = 0
  readonly #next = new Map<string, Tree>()
  readonly #passed = new Set<Tree>()
  readonly #middles = new Set<Tree>()
  #main: Tree = 0

  /** Returns the trees of the current branch with these pull requests, one after the other. */
  treesOf(numbers: readonly number[]): Tree[] {
    let below = this.#main
    return numbers.map((number) => (below = this.#with(below, number)))
  }

  /** Records a run that passed: its trees, of which the last `tested` are of pull requests in test. */
  passed(trees: readonly Tree[], tested: number): void {
    const last = trees.at(-1)
    if (last !== undefined) this.#passed.add(last)
    for (const tree of trees.slice(-tested, -1)) this.#middles.add(tree)
  }

  merged(number: number): void {
    this.#main = this.#with(this.#main, number)
    if (this.#passed.has(this.#main)) return
    if (this.#middles.has(this.#main)) this.midBatch++
    else this.clearedBySuccessor++
  }

  #with(below: Tree, number: number): Tree {
    const name = `${below} ${number}`
    const known = this.#next.get(name) ?? this.#next.size + 1
    this.#next.set(name, known)
    return known
  }
}

// A policy's run in the form that the world expects.

/** Fields about the engine's groups do not matter to the world. */
function testRunOf(
  { id, base, tested }: PolicyRun,
  { tip, at }: { readonly tip: number; readonly at: Millis },
): TestRun {
  return {
    id,
    owner: { kind: 'main', group: id },
    tip,
    base,
    tested,
    submissions: [],
    composition: '',
    startedAt: at,
    deadline: Infinity,
    attempt: 0,
  }
}
