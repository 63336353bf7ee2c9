/**
 * Rehearses a policy: the simulator's own traffic, truth, lengths and flakes around it. Draws are
 * keyed by what they decide, so a run of the same pull requests takes as long and flakes as often
 * under every policy, the real engine's included.
 */

import type { Millis, TestRun } from '../../engine/index.ts'
import { drawsOf } from '../../sim/draw.ts'
import { scenarioDefaults, type Scenario } from '../../sim/scenario/scenario.ts'
import { Schedule } from '../../sim/schedule.ts'
import { VirtualClock, type Happening } from '../../sim/virtual-clock.ts'
import { World } from '../../sim/world/world.ts'
import { BranchBooks } from './branch-books.ts'
import { figuresOfPolicy, type ComparedFigures } from './figures.ts'
import type { Host, MakePolicy, Policy, PolicyRun, PolicySettings } from './policy.ts'

/** Runs the scenario's pull requests through the policy until everybody is merged or evicted. */
export function rehearse(
  scenario: Scenario,
  make: MakePolicy,
  settings: PolicySettings,
): ComparedFigures {
  const rehearsal = new Rehearsal(scenario, settings)
  return figuresOfPolicy(rehearsal.play(make).tally(rehearsal.now))
}

class Rehearsal {
  now: Millis = 0
  readonly #settings: PolicySettings
  readonly #clock: VirtualClock
  readonly #world: World
  readonly #books: BranchBooks
  readonly #underWay = new Map<number, Millis>()
  readonly #known = new Set<number>()
  readonly #alone = new Set<number>()
  /** With whom each does not merge as text, said by the later one. */
  readonly #conflicts = new Map<number, readonly number[]>()
  readonly #merged = new Set<number>()
  #lastRun = 0
  #policy: Policy | null = null

  constructor(scenario: Scenario, settings: PolicySettings) {
    const { seed = scenarioDefaults.seed, tieOrder = 'submission' } = scenario
    const draw = drawsOf(seed)
    this.#settings = settings
    this.#clock = new VirtualClock(draw, tieOrder)
    this.#world = new World(scenario, draw)
    this.#books = new BranchBooks(this.#world)
    const whereabouts = (number: number): 'to come' | 'in the queue' | 'gone' => {
      if (!this.#known.has(number)) return 'to come'
      return this.#books.has(number) ? 'in the queue' : 'gone'
    }
    new Schedule(scenario, draw, {
      clock: this.#clock,
      world: this.#world,
      whereabouts,
      onSubmission: ({ number, noBatch, conflictsWith }) => {
        if (noBatch) this.#alone.add(number)
        if (conflictsWith) this.#conflicts.set(number, conflictsWith)
      },
    }).begin()
  }

  play(make: MakePolicy): BranchBooks {
    const policy = make(this.#host(), this.#settings)
    this.#policy = policy
    for (let next = this.#clock.next(); next; next = this.#clock.next()) this.#happen(next, policy)
    if (this.#books.size === 0) return this.#books
    throw new Error(`the policy left ${this.#books.size} pull requests in its queue`)
  }

  #happen(happening: Happening, policy: Policy): void {
    this.now = happening.at
    for (const command of happening.commands()) {
      if (command.type !== 'submitPullRequest' || this.#known.has(command.number)) continue
      this.#known.add(command.number)
      this.#books.submitted(command.number, this.now)
      policy.submitted(command.number)
    }
    policy.advance()
  }

  #host(): Host {
    return {
      now: () => this.now,
      freeSlots: () => this.#settings.concurrency - this.#underWay.size,
      start: (run) => this.#start(run),
      cancel: ({ id }) => this.#end(id),
      merge: (numbers) => {
        for (const number of numbers) this.#merge(number)
      },
      evict: (number, why) => this.#books.evicted(number, why),
      mergesOn: (number, ahead) => !this.#clashesWith(number, ahead),
      isAlone: (number) => this.#alone.has(number),
      wakeAt: (at) => this.#at(at, 'wake', () => undefined),
      wouldBreak: (composition) => this.#world.main.wouldBreak(composition),
    }
  }

  #start({ base, tested }: Omit<PolicyRun, 'id'>): PolicyRun {
    if (this.#underWay.size >= this.#settings.concurrency) throw new Error('no slot is free')
    const id = ++this.#lastRun
    const run = { id, base, tested }
    const { key, lengthMs, outcome } = this.#world.fateOf(this.#testRun(run))
    this.#underWay.set(id, this.now)
    this.#books.runStarted()
    this.#at(this.now + lengthMs, key, () => {
      if (!this.#underWay.has(id)) return
      this.#end(id)
      this.#policy?.finished(run, outcome === 'passed')
    })
    return run
  }

  #end(id: number): void {
    const startedAt = this.#underWay.get(id)
    if (startedAt === undefined) return
    this.#underWay.delete(id)
    this.#books.runEnded(this.now - startedAt)
  }

  #merge(number: number): void {
    this.#merged.add(number)
    this.#world.see({
      type: 'tipMoved',
      tip: this.#world.main.length + 1,
      number,
      composition: '',
    })
    this.#world.see({
      type: 'pullRequestMoved',
      number,
      from: 'TESTS_PASSED',
      to: 'MERGED',
      reason: 'MERGE_GRAPH_MERGE',
      testRun: null,
    })
    this.#books.merged(number, this.now)
  }

  #clashesWith(number: number, ahead: readonly number[]): boolean {
    const isBelow = (other: number): boolean => this.#merged.has(other) || ahead.includes(other)
    if (this.#conflicts.get(number)?.some(isBelow)) return true
    return ahead.some((other) => this.#world.truth.conflict(number, other))
  }

  /** The run as the world knows runs; nothing here is about the engine's own groups. */
  #testRun({ id, base, tested }: PolicyRun): TestRun {
    return {
      id,
      owner: { kind: 'main', group: id },
      tip: this.#world.main.length,
      base,
      tested,
      submissions: [],
      composition: '',
      startedAt: this.now,
      deadline: Infinity,
      attempt: 0,
    }
  }

  #at(at: Millis, name: string | number, work: () => void): void {
    this.#clock.schedule({
      at,
      lane: name === 'wake' ? 'wake' : 'result',
      name,
      commands: () => {
        work()
        return []
      },
    })
  }
}
