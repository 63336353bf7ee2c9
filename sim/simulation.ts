/**
 * One run of a scenario, a step at a time: the engine that ships, in simulated time, in a world
 * made from the scenario.
 *
 * First the *storm*, traffic, events and faults, until nothing more is scheduled and nothing
 * moves; then the *calm*, without faults and with the queue RUNNING, in which everybody must
 * reach a terminal state.
 */

import {
  allows,
  isTerminal,
  parts as shippedParts,
  type Command,
  type CommandBody,
  type Event,
  type Millis,
  type QueueView,
} from '../engine/index.ts'
import { Audience } from './audience.ts'
import { BuiltInChecks } from './built-in-checks.ts'
import { calmingCommands } from './calm.ts'
import type { Death } from './crashes.ts'
import { drawsOf } from './draw.ts'
import { EngineUnderTest } from './engine-under-test.ts'
import { Faults } from './faults.ts'
import { hasHonestTests } from './honest-tests.ts'
import { Progress } from './progress.ts'
import type { Breach, RunContext, RunOutcome, SimulateOptions } from './run-context.ts'
import { scenarioDefaults, type Scenario } from './scenario/scenario.ts'
import { Schedule } from './schedule.ts'
import { SimulatedCodeHost } from './simulated-code-host.ts'
import { SimulatedTestRunner } from './simulated-test-runner.ts'
import { VirtualClock, type Happening } from './virtual-clock.ts'
import type { Whereabouts } from './world/text-conflicts.ts'
import { World } from './world/world.ts'

export class Simulation {
  readonly #seed: number
  readonly #onRejection: SimulateOptions['onRejection']
  readonly #clock: VirtualClock
  readonly #faults: Faults
  readonly #world: World
  readonly #runner: SimulatedTestRunner
  readonly #engine: EngineUnderTest
  readonly #audience: Audience
  readonly #progress = new Progress()
  readonly #checks = new BuiltInChecks()
  #now: Millis = 0
  #endedAt: Millis = 0
  #stormEndedAt: Millis | null = null
  #isOver = false
  #breach: Breach | null = null

  constructor(scenario: Scenario, options: SimulateOptions = {}) {
    const { seed = scenarioDefaults.seed, faults = {}, tieOrder = 'submission' } = scenario
    const draw = drawsOf(seed)
    this.#seed = seed
    this.#onRejection = options.onRejection
    this.#clock = new VirtualClock(draw, tieOrder)
    this.#faults = new Faults(faults, draw)
    this.#world = new World(scenario, draw)
    const around = { clock: this.#clock, world: this.#world, faults: this.#faults }
    this.#runner = new SimulatedTestRunner({ ...around, onFate: options.onFate })
    const codeHost = new SimulatedCodeHost({ ...around, now: () => this.#now })
    this.#engine = new EngineUnderTest(scenario, {
      ports: { clock: this.#clock, testRunner: this.#runner, codeHost },
      parts: options.parts,
      checks: this.#checks,
    })
    this.#audience = new Audience(this.#contextOf(scenario, options), options)
    const whereabouts = (number: number): ReturnType<Whereabouts> => this.#whereaboutsOf(number)
    const { onSubmission } = options
    new Schedule(scenario, draw, { ...around, whereabouts, onSubmission }).begin()
  }

  /** Lets the next thing happen. False once the run is over. */
  step(): boolean {
    if (this.#isOver) return false
    const happening = this.#next()
    if (happening) {
      this.#now = happening.at
      for (const body of happening.commands()) this.#dispatch(body)
    } else {
      this.#comeToRest()
    }
    return !this.#isOver
  }

  /** What came of it; to be asked once, when the run is over. */
  outcome(): RunOutcome {
    return {
      seed: this.#seed,
      traceHash: this.#audience.traceHash(),
      endedAt: this.#endedAt,
      stormEndedAt: this.#stormEndedAt ?? this.#endedAt,
      commands: this.#engine.commands,
      events: this.#engine.events,
      properties: [...this.#checks.results, ...this.#audience.properties],
      breach: this.#breach,
    }
  }

  #contextOf(scenario: Scenario, { parts = shippedParts }: SimulateOptions): RunContext {
    return {
      scenario,
      seed: this.#seed,
      truth: this.#world.truth,
      main: this.#world.main,
      knowsTruth: true,
      hasHonestTests: hasHonestTests(scenario),
      configuration: this.#engine.queue.configuration,
      makings: { scenario, parts },
      isFlake: (testRun) => this.#runner.isFlake(testRun),
    }
  }

  #whereaboutsOf(number: number): ReturnType<Whereabouts> {
    const pullRequest = this.#engine.queue.pullRequests[number]
    if (!pullRequest) return 'to come'
    return isTerminal(pullRequest.state) ? 'gone' : 'in the queue'
  }

  /** Wake-ups that are left over from what has ended are not waited for. */
  #next(): Happening | undefined {
    const isOver = this.#clock.hasOnlyWakes && !hasWork(this.#engine.queue)
    return isOver ? undefined : this.#clock.next()
  }

  /** Nothing is scheduled any more: the storm is over, or the calm, or something is stuck. */
  #comeToRest(): void {
    if (this.#stormEndedAt === null) {
      this.#stormEndedAt = this.#now
      this.#faults.end()
    }
    if (this.#progress.live > 0) {
      const accepted = calmingCommands(this.#engine.queue).filter((body) => this.#dispatch(body))
      if (accepted.length > 0 || this.#isOver) return
      this.#breach = this.#breachNow('at rest')
    }
    this.#isOver = true
    this.#audience.atEnd(this.#engine.queue)
  }

  /** Gives the engine one command, and everybody what came of it. Answers whether it was taken. */
  #dispatch(body: CommandBody): boolean {
    if (this.#isOver) return false
    const command: Command = { ...body, at: this.#now }
    const death = this.#faults.crashAfter(this.#engine.commands)
    const outcome = this.#engine.dispatch(command)
    if (outcome?.accepted) {
      this.#follow(command, outcome.events, death)
      this.#engine.deliver(death)
    } else if (outcome) {
      if (command.type === 'finishTestRun') this.#runner.forget(command.testRun)
      this.#onRejection?.(command, outcome.rejection)
    }
    if (this.#engine.hasThrown) this.#isOver = true
    return outcome?.accepted ?? false
  }

  #follow(command: Command, events: readonly Event[], death: Death | null): void {
    this.#endedAt = command.at
    for (const event of events) this.#world.see(event)
    const { queue } = this.#engine
    const sequence = this.#engine.events - events.length
    const dying = death === null ? {} : { death }
    this.#audience.hear({ sequence, command, events, queue, ...dying })
    for (const event of events) {
      if (event.type === 'testRunFinished') this.#runner.forget(event.testRun)
    }
    this.#progress.see(command, events)
    this.#checkProgress()
  }

  #checkProgress(): void {
    this.#checks.hold('progress')
    if (!this.#progress.isStuck) return
    this.#isOver = true
    this.#breach = this.#breachNow('no progress')
    const { at, sequence, pullRequests, commandsWithoutProgress } = this.#breach
    const story = `${commandsWithoutProgress} commands went by in which none of the ${pullRequests.length} pull requests in the queue ended.`
    this.#checks.violate('progress', { at, sequence, story, pullRequests })
  }

  #breachNow(kind: Breach['kind']): Breach {
    const live = Object.values(this.#engine.queue.pullRequests).filter(
      ({ state }) => !isTerminal(state),
    )
    return {
      kind,
      at: this.#now,
      sequence: this.#engine.events,
      commandsWithoutProgress: this.#progress.commandsWithout,
      pullRequests: live.map(({ number }) => number),
    }
  }
}

/** Whether a test run is under way, or something is left that could start or merge by itself. */
function hasWork({ slots, state, line, bisections, order }: QueueView): boolean {
  if (slots.main > 0 || slots.bisection > 0) return true
  const isBegun = line.length > 0 || bisections.length > 0
  return (
    (isBegun && allows(state, 'startsKnown')) || (order.pending > 0 && allows(state, 'startsNew'))
  )
}
