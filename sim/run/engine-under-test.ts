/**
 * The engine of a simulation. An exception of the engine is a violation (S-44). Its calls to the
 * ports are delivered after all observers have received the command. It may crash, and is then
 * rebuilt.
 */

import {
  type Clock,
  type CodeHost,
  type Command,
  type CommandOutcome,
  configurationWith,
  Engine,
  type EngineParts,
  engineParts as shippedParts,
  type Event,
  type Millis,
  newQueue,
  type Ports,
  type Queue,
  type QueueView,
  readInto,
  readQueue,
  runCommand,
  serializedQueue,
  type TestRunner,
} from '../../engine/index.ts'
import type { BuiltInChecks } from '../observe/findings.ts'
import type { QuarantinedTest, Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import type { CrashKind } from '../steps/step.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { codeHostOf } from './faults.ts'

type EngineDependencies = {
  readonly ports: Ports & { readonly codeHost: CodeHost }
  readonly parts: EngineParts | undefined
  readonly checks: BuiltInChecks
}

export class EngineUnderTest {
  readonly #parts: EngineParts
  readonly #checks: BuiltInChecks
  readonly #outbox: Outbox
  readonly #crashes: CrashRecord | null
  #engine: Engine
  #hasThrown = false
  /** The numbers of accepted commands and of their events. */
  #commands = 0
  #events = 0
  /** What the engine has told its subscribers of the last command. */
  #published: readonly Event[] = []

  constructor(scenario: Scenario, { ports, parts = shippedParts, checks }: EngineDependencies) {
    this.#parts = parts
    this.#checks = checks
    this.#outbox = new Outbox(ports)
    this.#engine = new Engine(newQueueOf(scenario), this.#outbox.ports, parts)
    this.#listen()
    const { crashRate = 0, lostCommandRate = 0 } = scenario.faults ?? {}
    this.#crashes = crashRate + lostCommandRate > 0 ? new CrashRecord(this.#engine) : null
  }

  get queue(): QueueView {
    return this.#engine.queue
  }

  get commands(): number {
    return this.#commands
  }

  get events(): number {
    return this.#events
  }

  /** Whether the engine has thrown: its state cannot be trusted any more. */
  get hasThrown(): boolean {
    return this.#hasThrown
  }

  /**
   * Returns null if the engine throws. All observers get what a subscriber gets, because that is all
   * that the readers of a server get. The ports receive the calls of an accepted command by
   * `deliver`.
   */
  dispatch(command: Command): CommandOutcome | null {
    this.#published = []
    const outcome = this.#guarded(() => this.#engine.dispatch(command))
    if (!outcome?.accepted) return outcome
    const events = this.#published
    this.#commands++
    this.#events += events.length
    this.#checks.engine.hold()
    this.#crashes?.note(command, this.#engine)
    return { accepted: true, events }
  }

  #listen(): void {
    this.#engine.subscribe((_command, events) => {
      this.#published = events
    })
  }

  /**
   * The engine takes the command and crashes before it is on disk. The ports know nothing of it,
   * unless they are told too early.
   */
  lose(command: Command, isCalledEarly: boolean): void {
    const outcome = this.#guarded(() => this.#engine.dispatch(command))
    if (!outcome || !this.#crashes) return
    if (!isCalledEarly) this.#outbox.drop()
    this.#outbox.deliver()
    this.#restart(this.#crashes)
  }

  /** Delivers the calls of the last command to the ports. After a crash the engine is rebuilt. */
  deliver(crash: CrashKind | null): void {
    if (crash === 'unpublished') this.#outbox.drop()
    this.#outbox.deliver()
    if (crash !== null && this.#crashes) this.#rebuild(this.#crashes)
  }

  #rebuild(crashes: CrashRecord): void {
    const isSame = this.#restart(crashes)
    if (isSame) this.#checks.rebuild.hold()
    else if (isSame === false)
      this.#violate('rebuild', `After command ${this.#commands} the rebuilt engine differs.`)
  }

  /** Whether the rebuilt engine equals the one that crashed; null if it threw. */
  #restart(crashes: CrashRecord): boolean | null {
    const rebuilt = this.#guarded(() =>
      crashes.rebuild(this.#engine, this.#outbox.ports, this.#parts),
    )
    if (!rebuilt) return null
    this.#engine = rebuilt.engine
    this.#listen()
    this.#engine.resume()
    this.#outbox.deliver()
    return rebuilt.isSame
  }

  /** Returns null, and reports a violation, if the engine throws. */
  #guarded<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      this.#hasThrown = true
      const reason = messageOf(error)
      this.#violate('engine', `The engine threw: ${reason}.`)
      return null
    }
  }

  #violate(check: 'engine' | 'rebuild', story: string): void {
    const point = { at: this.#engine.queue.now, sequence: this.#events }
    this.#checks[check].check(false, point, () => ({ story, pullRequests: [] }))
  }
}

// The record from which a crashed engine is rebuilt: a snapshot and the commands since.

/**
 * A new snapshot is taken after this many commands: soon after the start, so that short runs are
 * also rebuilt in the middle of their work, then less and less often.
 */
const commandsPerSnapshot = { first: 7, growth: 2, most: 200 } as const

class CrashRecord {
  #snapshot: string
  #log: Command[] = []
  #untilNext: number = commandsPerSnapshot.first

  constructor(engine: Engine) {
    this.#snapshot = engine.snapshot()
  }

  note(command: Command, engine: Engine): void {
    this.#log.push(command)
    if (this.#log.length < this.#untilNext) return
    const { growth, most } = commandsPerSnapshot
    this.#untilNext = Math.min(most, this.#untilNext * growth)
    this.#snapshot = engine.snapshot()
    this.#log = []
  }

  /**
   * Returns the rebuilt engine, and whether its state equals that of the crashed one in every byte. That
   * does not repeat its calls to the ports: `resume` makes the calls that may have been lost.
   */
  rebuild(crashed: Engine, ports: Ports, parts: EngineParts): { engine: Engine; isSame: boolean } {
    const queue = readBack(this.#snapshot)
    for (const command of this.#log) runCommand(queue, command, parts)
    const engine = new Engine(queue, ports, parts)
    return { engine, isSame: textOf(engine) === textOf(crashed) }
  }
}

/** The whole state. What no snapshot has stands at the end, where its reader puts it. */
function textOf(engine: Engine): string {
  const { phases, verdictMarks, ...written }: Queue = JSON.parse(engine.snapshot())
  return JSON.stringify({ ...written, phases, verdictMarks })
}

/** Returns the queue as a server that has written it into its snapshot reads it again. */
function readBack(snapshot: string): Queue {
  const written: Queue = JSON.parse(snapshot)
  const queue = readQueue(serializedQueue(written))
  for (const pullRequest of Object.values(written.pullRequests)) {
    readInto(queue, { pullRequest: pullRequest.number, engine: pullRequest })
  }
  for (const [number, targets] of Object.entries(written.impactedTargets)) {
    readInto(queue, { impactedTargets: Number(number), targets })
  }
  return queue
}

// Keeps the calls of the engine to its ports until the command is done. If the engine crashes
// before that, the calls are dropped and no port receives them.

class Outbox {
  readonly ports: Ports
  #deliveries: (() => void)[] = []

  constructor({ clock, testRunner, codeHost }: Ports & { readonly codeHost: CodeHost }) {
    const post = (delivery: () => void): void => {
      this.#deliveries.push(delivery)
    }
    const postedClock: Clock = { wakeAt: (instant) => post(() => clock.wakeAt(instant)) }
    const postedRunner: TestRunner = {
      start: (run) => post(() => testRunner.start(run)),
      cancel: (testRun) => post(() => testRunner.cancel(testRun)),
    }
    const postedHost: CodeHost = { merge: (numbers) => post(() => codeHost.merge(numbers)) }
    this.ports = { clock: postedClock, testRunner: postedRunner, codeHost: postedHost }
  }

  deliver(): void {
    const deliveries = this.#deliveries
    this.#deliveries = []
    for (const delivery of deliveries) delivery()
  }

  drop(): void {
    this.#deliveries = []
  }
}

/** Returns the queue of a scenario, without pull requests. `at` is the time of its creation. */
export function newQueueOf(scenario: Scenario, at: Millis = 0): Queue {
  const { state = 'RUNNING', ...configuration } = scenario.queue ?? {}
  return newQueue({
    at,
    configuration: configurationWith(configuration),
    state,
    codeHost: codeHostOf(scenario),
    ...(scenario.quarantine ? { quarantine: entriesOf(scenario.quarantine, at) } : {}),
  })
}

function entriesOf(tests: readonly QuarantinedTest[], since: Millis) {
  return Object.fromEntries(
    tests.map(({ test, until }) => {
      const end = until === undefined ? {} : { until: since + toMillis(until) }
      return [test, { since, ...end }]
    }),
  )
}
