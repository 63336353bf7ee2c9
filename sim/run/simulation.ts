/**
 * One run of a scenario, step by step: the real engine in simulated time, in a world made from the
 * scenario.
 *
 * A run has two phases (S-40). The fault phase has traffic, events and faults, until nothing more
 * is scheduled and nothing moves. In the quiet phase there are no faults, the queue is RUNNING, and
 * every pull request must reach a terminal state.
 */

import {
  type Command,
  type CommandBody,
  type Event,
  type Millis,
  type QueueView,
  type Rejection,
  type TestRunId,
  allows,
  engineParts as shippedParts,
  failureOfTip,
  tipRunOf,
  isTerminal,
} from '../../engine/index.ts'
import { BuiltInChecks } from '../observe/findings.ts'
import type { RunContext, RunOutcome, SimulateOptions, Stall } from '../observe/run-context.ts'
import { drawsOf } from '../random/draw.ts'
import { type Scenario, scenarioDefaults } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import type { CrashKind } from '../steps/step.ts'
import type { Presence } from '../world/clashes.ts'
import { World } from '../world/world.ts'
import { EngineUnderTest, newQueueOf } from './engine-under-test.ts'
import { Faults } from './faults.ts'
import { Observers } from '../observe/observers.ts'
import { Progress } from './progress.ts'
import { Resubmissions } from './resubmissions.ts'
import { Schedule } from './schedule.ts'
import { SimulatedCodeHost, SimulatedTestRunner } from './simulated-ports.ts'
import { type ScheduledEvent, VirtualClock } from './virtual-clock.ts'

/** Of a tip by itself, one after the other: nobody waits for a tenth. */
const manyFailures = 9

export class Simulation {
  readonly #seed: number
  readonly #onRejection: SimulateOptions['onRejection']
  readonly #clock: VirtualClock
  readonly #faults: Faults
  readonly #world: World
  readonly #runner: SimulatedTestRunner
  readonly #codeHost: SimulatedCodeHost
  readonly #engine: EngineUnderTest
  readonly #observers: Observers
  readonly #resubmissions: Resubmissions | null
  readonly #progress = new Progress()
  readonly #checks = new BuiltInChecks()
  #now: Millis = 0
  #endedAt: Millis = 0
  #faultPhaseEndedAt: Millis | null = null
  #isOver = false
  #breach: Stall | null = null
  readonly #arePortsCalledEarly: boolean
  /** How long after it has broken the branch is mended; null: not before the end. */
  readonly #mendMs: Millis | null
  #isMendPlanned = false

  constructor(scenario: Scenario, options: SimulateOptions = {}) {
    const {
      seed = scenarioDefaults.seed,
      faults = {},
      tieOrder = 'submission',
      resubmit,
      mend,
    } = scenario
    const draw = drawsOf(seed)
    this.#mendMs = mend ? toMillis(mend.afterMinutes) : null
    this.#seed = seed
    this.#onRejection = options.onRejection
    this.#arePortsCalledEarly = options.arePortsCalledEarly ?? false
    this.#clock = new VirtualClock(draw, tieOrder)
    this.#faults = new Faults(faults, draw)
    this.#world = new World(scenario, draw)
    const context = {
      clock: this.#clock,
      world: this.#world,
      faults: this.#faults,
      now: () => this.#now,
    }
    const { conflictsFoundByBuild = false } = scenario.codeHost ?? {}
    this.#codeHost = new SimulatedCodeHost(context)
    const { onRunPlanned } = options
    this.#runner = new SimulatedTestRunner({ ...context, conflictsFoundByBuild, onRunPlanned })
    this.#engine = new EngineUnderTest(scenario, {
      ports: { clock: this.#clock, testRunner: this.#runner, codeHost: this.#codeHost },
      parts: options.parts,
      checks: this.#checks,
    })
    const runContext = this.#contextOf(scenario, options)
    this.#observers = new Observers(runContext, options)
    this.#resubmissions = resubmit ? new Resubmissions(resubmit, runContext, this.#clock) : null
    const presenceOf = (number: number): ReturnType<Presence> => this.#presenceOf(number)
    const { onSubmission } = options
    new Schedule(scenario, draw, { ...context, presenceOf, onSubmission }).begin()
  }

  /** Runs the next scheduled event. Returns false if the run is over. */
  step(): boolean {
    if (this.#isOver) return false
    if (this.#comesBack()) return !this.#isOver
    const scheduled = this.#next()
    if (scheduled) {
      this.#now = Math.max(this.#now, scheduled.at)
      const commands = scheduled.commands()
      const isMissed = scheduled.at < this.#now
      this.#happen(isMissed ? commands.map((each) => ({ ...each, at: this.#now })) : commands)
      this.#checkProgress()
    } else {
      this.#endPhase()
    }
    return !this.#isOver
  }

  /**
   * Returns whether a server that was away is back, which is told before anything that it missed (S-392).
   * What was due meanwhile is received now, in its order.
   */
  #comesBack(): boolean {
    const next = this.#isAtRest ? null : this.#clock.nextAt
    const back = next === null ? null : this.#faults.backAt(this.#now, next)
    if (back === null) return false
    this.#now = back
    this.#dispatch({ type: 'wake', isLate: true, at: back })
    return true
  }

  #happen(commands: readonly Command[]): void {
    const before = this.#engine.commands
    if (!this.#isLost(commands)) for (const command of commands) this.#dispatch(command)
    this.#progress.onScheduled(this.#engine.commands > before)
  }

  /** Returns the outcome. Call it once, when the run is over. */
  outcome(): RunOutcome {
    const { properties: watched } = this.#observers
    return {
      seed: this.#seed,
      traceHash: this.#observers.traceHash(),
      endedAt: this.#endedAt,
      faultPhaseEndedAt: this.#faultPhaseEndedAt ?? this.#endedAt,
      commands: this.#engine.commands,
      events: this.#engine.events,
      properties: [...this.#checks.results, ...watched.results],
      judged: [...this.#checks.judgedOf(this.#engine.events), ...watched.judged],
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
      beginning: () => newQueueOf(scenario),
      inputs: { scenario, parts },
      isFlake: (testRun) => this.#runner.isFlake(testRun),
    }
  }

  #presenceOf(number: number): ReturnType<Presence> {
    const pullRequest = this.#engine.queue.pullRequests[number]
    if (!pullRequest) return 'to come'
    return isTerminal(pullRequest.state) ? 'gone' : 'in the queue'
  }

  /** Wake-ups alone, and new tests of a branch that stays broken, do not keep the run going. */
  #next(): ScheduledEvent | undefined {
    return this.#isAtRest ? undefined : this.#clock.next()
  }

  get #isAtRest(): boolean {
    if (!this.#clock.hasOnlyWakes) return this.#neverPasses && this.#hasOnlyLateResults()
    const { queue } = this.#engine
    return !tipRunOf(queue) && (!hasWork(queue) || this.#isStoppedForGood())
  }

  /** Whether the queue waits for somebody who mends the branch, or for one whose tests never pass. */
  #isStoppedForGood(): boolean {
    const isWaiting = failureOfTip(this.#engine.queue) !== null
    return (isWaiting && this.#world.main.isBroken) || this.#neverPasses
  }

  /** Whether the tests of the branch fail again and again: all runs are lost, say, or time out. */
  get #neverPasses(): boolean {
    return (failureOfTip(this.#engine.queue)?.times ?? 0) >= manyFailures
  }

  /** Nobody awaits what a runner reports of a run that has timed out before. */
  #hasOnlyLateResults(): boolean {
    const { testRuns } = this.#engine.queue
    return Object.keys(testRuns).length === 0 && this.#clock.hasOnly('wake', 'result')
  }

  /** Somebody mends the branch; if it is not broken, the tests of the tip are turned off. */
  #mend(): boolean {
    const off: Command = { type: 'updateQueue', set: { tipTestMode: 'off' }, at: this.#now }
    return this.#dispatch(this.#world.main.isBroken ? this.#mending(this.#now) : off)
  }

  #mending(at: Millis): Command {
    this.#isMendPlanned = false
    this.#world.push({ mends: true })
    return { type: 'reportPush', at }
  }

  /** A branch that has broken is mended by a push after a while (S-271). */
  #planMend(now: Millis): void {
    if (this.#mendMs === null || this.#isMendPlanned || !this.#world.main.isBroken) return
    this.#isMendPlanned = true
    const at = now + this.#mendMs
    this.#clock.schedule({
      at,
      kind: 'event',
      name: 'mend',
      commands: () => [this.#mending(at)],
    })
  }

  /**
   * Nothing is scheduled any more: the fault phase or the quiet phase is over, or the run stalled.
   */
  #endPhase(): void {
    if (this.#faultPhaseEndedAt === null) {
      this.#faultPhaseEndedAt = this.#now
      this.#faults.end()
    }
    if (this.#progress.live > 0) {
      if (this.#isStoppedForGood() && this.#mend()) return
      const accepted = quiescenceCommands(this.#engine.queue).filter((body) =>
        this.#dispatch({ ...body, at: this.#now }),
      )
      if (accepted.length > 0 || this.#isOver) return
      this.#breach = this.#breachNow('at rest')
    }
    this.#isOver = true
    this.#observers.properties.atEnd(this.#engine.queue)
  }

  /**
   * Sends one command to the engine and its events to all observers. Returns whether it was
   * accepted.
   */
  #dispatch(command: Command): boolean {
    if (this.#isOver) return false
    this.#world.truth.passTo(command.at)
    if (command.type === 'finishMerge') this.#codeHost.acknowledge(command.number)
    const crash = this.#faults.crashAfter(this.#engine.commands)
    const isIdle = command.type === 'wake' && this.#isIdle()
    const outcome = this.#engine.dispatch(command)
    if (outcome?.accepted) {
      if (!isIdle) this.#endedAt = command.at
      this.#onAccepted(command, outcome.events, crash)
      this.#engine.deliver(crash)
    } else if (outcome) {
      if (isAboutGoneRun(command, outcome.rejection)) this.#runner.cancel(command.testRun)
      this.#onRejection?.(command, outcome.rejection)
      this.#observers.properties.onRefusal(command, this.#engine.events)
    }
    if (this.#engine.hasThrown) this.#isOver = true
    return outcome?.accepted ?? false
  }

  /**
   * If the engine forgets the first of these commands in a crash, the client sends all of them again,
   * in this order, and no crash loses them twice. The clock of the engine is never late.
   */
  #isLost(commands: readonly Command[]): boolean {
    const [command] = commands
    if (!this.#faults.canLoseCommands || !command || command.type === 'wake') return false
    const repeatMs = this.#faults.repeatOf(command)
    if (repeatMs === null) return false
    this.#engine.lose(command, this.#arePortsCalledEarly)
    if (this.#engine.hasThrown) this.#isOver = true
    const at = this.#now + repeatMs
    this.#clock.schedule({
      at,
      kind: 'event',
      name: `${command.type} again`,
      commands: () => {
        for (const each of commands) this.#dispatch({ ...each, at: this.#now })
        return []
      },
    })
    return true
  }

  /** True if nobody is in the queue, and no run is under way. */
  #isIdle(): boolean {
    const { queue } = this.#engine
    return !tipRunOf(queue) && !hasWork(queue)
  }

  #onAccepted(command: Command, events: readonly Event[], crash: CrashKind | null): void {
    for (const event of events) this.#world.onEvent(event, command.at)
    this.#planMend(command.at)
    const { queue } = this.#engine
    const sequence = this.#engine.events - events.length
    const withCrash = crash === null ? {} : { crash }
    const step = { sequence, command, events, queue, ...withCrash }
    this.#observers.onStep(step)
    this.#resubmissions?.read(step)
    for (const event of events) {
      if (event.type === 'testRunFinished') this.#runner.cancel(event.testRun)
    }
    this.#progress.onEvent(command, events)
    this.#checks.progress.hold()
  }

  #checkProgress(): void {
    const story = this.#progress.fault
    if (story === null) return
    this.#isOver = true
    this.#breach = this.#breachNow('no progress')
    const { at, sequence, pullRequests } = this.#breach
    this.#checks.progress.check(false, { at, sequence }, () => ({ story, pullRequests }))
  }

  #breachNow(kind: Stall['kind']): Stall {
    const live = Object.values(this.#engine.queue.pullRequests).filter(
      ({ state }) => !isTerminal(state),
    )
    return {
      kind,
      at: this.#now,
      sequence: this.#engine.events,
      pullRequests: live.map(({ number }) => number),
    }
  }
}

// The commands of the quiet phase, with which every pull request can reach a terminal state.

/**
 * Returns the commands that set the queue RUNNING and make every pull request ready: the code host
 * does not object any more, and unknown impacted targets are ALL.
 */
function quiescenceCommands(queue: QueueView): CommandBody[] {
  const commands: CommandBody[] = []
  if (queue.state === 'PAUSED' || queue.state === 'DRAINING') {
    commands.push({ type: 'updateQueue', set: { state: 'RUNNING' } })
  }
  for (const { number, state } of Object.values(queue.pullRequests)) {
    if (isTerminal(state)) continue
    if (queue.hostFacts[number]?.mergeable === false) {
      commands.push({ type: 'reportPullRequest', number, mergeable: true })
    }
    const needsTargets = queue.configuration.mode === 'parallel'
    if (needsTargets && !(number in queue.impactedTargets)) {
      commands.push({ type: 'setImpactedTargets', number, targets: 'ALL' })
    }
  }
  return commands
}

// What is left to do in a run: for the queue, and for the test runner.

/** Whether the command was refused because its run is over. */
function isAboutGoneRun(
  command: Command,
  { code }: Rejection,
): command is Extract<Command, { testRun: TestRunId }> {
  return 'testRun' in command && code === 'test run is over'
}

/** Whether a test run is in progress, or the queue can start or merge something by itself. */
function hasWork({ slots, state, line, bisections, order }: QueueView): boolean {
  if (slots.main > 0 || slots.bisection > 0) return true
  const isBegun = line.length > 0 || bisections.length > 0
  return (
    (isBegun && allows(state, 'startsKnown')) || (order.pending > 0 && allows(state, 'startsNew'))
  )
}
