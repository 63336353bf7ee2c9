/**
 * `mergeyard start --demo`: a real server, in the simulated world of a scenario. Its developers, CI and code
 * host are those of the simulator. The clocks of both run faster than real time.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import {
  type Command,
  type CommandBody,
  type Event,
  isTerminal,
  type Millis,
  type QueueView,
  type RecordedCommand,
  type TerminalState,
} from '../../engine/index.ts'
import type { RunDemo } from '../../server/cli/start.ts'
import { nameOfQueue } from '../../server/identity/queue-ref.ts'
import type { AppliedCommand } from '../../server/queues/publisher.ts'
import { withLocal } from '../../server/cli/remote-server.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/server.ts'
import { type CliContext, exitCodes } from '../../server/terminal/command.ts'
import { inScratch } from '../../server/terminal/files.ts'
import { isTerminalStream } from '../../server/terminal/output.ts'
import { untilAborted } from '../../server/terminal/signals.ts'
import { duration, messageOf, own } from '../../server/terminal/text.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import { codeHostOf, Faults } from '../../sim/run/faults.ts'
import { Schedule } from '../../sim/run/schedule.ts'
import { SimulatedCodeHost, SimulatedTestRunner } from '../../sim/run/simulated-ports.ts'
import { VirtualClock } from '../../sim/run/virtual-clock.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import { generatedCount, type Scenario, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import { World } from '../../sim/world/world.ts'

type Options = Parameters<RunDemo>[0]

/** Runs the demo until it is interrupted. Returns the exit code. Throws if it cannot start. */
export async function runDemo(options: Options, context: CliContext): Promise<number> {
  const scenario = loadScenario(options.scenario, options.name)
  const runIn = (data: string) => runScenario(scenario, { options, data, context })
  return options.data === null ? inScratch('demo', runIn) : runIn(options.data)
}

type DemoContext = {
  readonly options: Options
  readonly data: string
  readonly context: CliContext
}

async function runScenario(
  scenario: Scenario,
  { options, data, context }: DemoContext,
): Promise<number> {
  const { speed } = options
  const token = options.server.token ?? `my_demo_${randomBytes(12).toString('hex')}`
  const failure = new AbortController()
  const server = await startDemoServer({ ...options.server, data, speed, token }, () =>
    failure.abort(),
  )
  let demo: Demo | null = null
  try {
    demo = new Demo(scenario, { server, speed, context })
    context.stdout.write(introduction(scenario, { speed, url: server.url, token, data }))
    demo.start()
    const known = {
      token: options.server.token === null ? token : null,
      queues: [nameOfQueue(queueOf(scenario))],
    }
    await withLocal(data, known, async (announce) => {
      await announce(server.url)
      await untilAborted(context.signal, failure.signal)
    })
  } finally {
    demo?.stop()
    await server.stop()
  }
  if (!failure.signal.aborted) return exitCodes.success
  context.stderr.write('the server failed: see server.log in the data folder\n')
  return exitCodes.failure
}

const queueOf = ({ name }: Scenario) => ({
  host: 'github.com',
  owner: 'demo',
  name,
  targetBranch: 'main',
})

const showEveryMs = 1_000

type DemoPorts = {
  readonly server: RunningServer
  readonly speed: number
  readonly context: CliContext
}

/** Plays the scenario on a queue of its own, in time that starts at 0, and updates the status line every second. */
class Demo {
  readonly #ports: DemoPorts
  readonly #queue: string
  readonly #clock: VirtualClock
  readonly #world: World
  readonly #runner: SimulatedTestRunner
  readonly #codeHost: SimulatedCodeHost
  readonly #schedule: Schedule
  readonly #status: StatusLine
  readonly #tally = { submitted: 0, reported: 0 }
  readonly #ended: Record<TerminalState, number> = { MERGED: 0, FAILED: 0, CANCELLED: 0 }
  /** The time of the server at which the scenario starts. */
  #startedAt: Millis = 0
  #next: NodeJS.Timeout | undefined
  #showing: NodeJS.Timeout | undefined

  /** Creates the queue. Throws if the data folder has it already. */
  constructor(scenario: Scenario, ports: DemoPorts) {
    const { seed = scenarioDefaults.seed, faults: rates = {}, codeHost = {} } = scenario
    const draw = drawsOf(seed)
    this.#ports = ports
    this.#queue = nameOfQueue(queueOf(scenario))
    this.#clock = new VirtualClock(draw, 'submission')
    this.#world = new World(scenario, draw)
    this.#status = new StatusLine(ports.context.stdout)
    const context = {
      clock: this.#clock,
      world: this.#world,
      faults: new Faults(rates, draw),
      now: () => this.#now,
    }
    const { conflictsFoundByBuild = false } = codeHost
    this.#codeHost = new SimulatedCodeHost(context)
    this.#runner = new SimulatedTestRunner({
      ...context,
      conflictsFoundByBuild,
      onRunPlanned: undefined,
    })
    const presenceOf = (number: number) => this.#presenceOf(number)
    this.#schedule = new Schedule(withQuarantine(scenario), draw, { ...context, presenceOf })
    this.#create(scenario)
  }

  #create(scenario: Scenario): void {
    const host = codeHostOf(scenario)
    const { accepted } = this.#ports.server.manager.send(this.#queue, {
      type: 'createQueue',
      incarnation: randomUUID(),
      set: scenario.queue ?? {},
      ...(host === 'merges at once' ? {} : { codeHost: host }),
    })
    if (accepted) return
    const advice = 'the data folder already contains this demo: remove it or choose another folder'
    throw new Error(advice)
  }

  start(): void {
    const { manager } = this.#ports.server
    this.#startedAt = manager.now
    manager.subscribe((applied) => this.#onApplied(applied))
    this.#schedule.begin()
    this.#showing = setInterval(() => this.#show(), showEveryMs)
    this.#arm()
  }

  stop(): void {
    clearTimeout(this.#next)
    clearInterval(this.#showing)
    this.#next = undefined
    this.#showing = undefined
    this.#status.end()
  }

  /** The time of the scenario. */
  get #now(): Millis {
    return this.#ports.server.manager.now - this.#startedAt
  }

  get #view(): QueueView | undefined {
    return this.#ports.server.manager.registry.find(this.#queue)?.engine.queue
  }

  #presenceOf(number: number) {
    const pullRequest = this.#view?.pullRequests[number]
    if (!pullRequest) return 'to come'
    return isTerminal(pullRequest.state) ? 'gone' : 'in the queue'
  }

  /** Waits for the next thing that happens. */
  #arm(): void {
    const { nextAt } = this.#clock
    clearTimeout(this.#next)
    if (nextAt === null) return
    const waitMs = Math.max(0, nextAt - this.#now) / this.#ports.speed
    this.#next = setTimeout(() => this.#happen(), Math.min(waitMs, showEveryMs))
  }

  #happen(): void {
    const { nextAt } = this.#clock
    try {
      if (nextAt !== null && nextAt <= this.#now) {
        for (const command of this.#clock.next()?.commands() ?? []) this.#send(command)
      }
      this.#arm()
    } catch (error) {
      this.stop()
      this.#ports.context.stderr.write(`${messageOf(error)}\n`)
    }
  }

  /** The queue refuses what comes too late: the pull request has left, or the run has ended. */
  #send({ at: _at, ...command }: Command): void {
    const { manager } = this.#ports.server
    if (command.type === 'submitPullRequest') {
      const { number } = command
      manager.send(this.#queue, { type: 'reportPullRequest', number, ...describedAs(number) })
    }
    if (command.type === 'finishMerge') this.#codeHost.acknowledge(command.number)
    manager.send(this.#queue, recorded(command, this.#startedAt))
  }

  #onApplied({ queue, at, events }: AppliedCommand): void {
    if (!this.#showing || queue === null || nameOfQueue(queue) !== this.#queue) return
    this.#world.truth.passTo(at - this.#startedAt)
    for (const event of events) {
      this.#world.onEvent(event, at - this.#startedAt)
      this.#onEvent(event)
    }
    this.#arm()
  }

  /** What the engine of a simulation says to its ports, the server says to everybody. */
  #onEvent(event: Event): void {
    const { type } = event
    if (type === 'testRunStarted') {
      this.#runner.start({ ...event.run, startedAt: event.run.startedAt - this.#startedAt })
    } else if (type === 'testRunCancelled') this.#runner.cancel(event.testRun)
    else if (type === 'testRunFinished') {
      this.#tally.reported++
      this.#runner.cancel(event.testRun)
    } else if (type === 'mergeRequested') this.#codeHost.merge(event.numbers ?? [event.number])
    else if (type === 'pullRequestSubmitted') this.#tally.submitted++
    else if (type === 'pullRequestMoved' && isTerminal(event.to)) this.#ended[event.to]++
  }

  #show(): void {
    const { submitted, reported } = this.#tally
    const { MERGED: merged, FAILED: failed, CANCELLED: cancelled } = this.#ended
    const left = submitted - merged - failed - cancelled
    const parts = [
      duration(toMinutes(this.#now)).padStart(11),
      `submitted ${submitted}`,
      `in the queue ${left}`,
      `merged ${merged}`,
      `failed ${failed}`,
      `cancelled ${cancelled}`,
      `${reported} runs reported`,
    ]
    this.#status.show(parts.join('   '))
    if (this.#clock.nextAt !== null || left > 0) return
    clearInterval(this.#showing)
    this.#status.end()
    this.#ports.context.stdout.write('The queue is empty. The server runs until Ctrl-C.\n')
  }
}

/** The tests in quarantine from the beginning, as events. */
function withQuarantine({ quarantine = [], events = [], ...scenario }: Scenario): Scenario {
  const first = quarantine.map((each) => ({ ...each, do: 'quarantine' }) as const)
  return { ...scenario, events: [...first, ...events] }
}

/** The command as the server records it, whose time does not start at 0. */
function recorded(command: CommandBody, startedAt: Millis): RecordedCommand {
  if (command.type !== 'quarantineTest' || command.until === undefined) return command
  return { ...command, until: command.until + startedAt }
}

const verbs = ['Cache', 'Log', 'Rename', 'Speed up', 'Test', 'Validate', 'Simplify']
const things = ['the basket', 'checkout', 'the price list', 'sign-in', 'the search', 'invoices']
const authors = ['dana', 'kim', 'noor', 'sam', 'yuki']

/** A title and an author, so that a page shows what it shows of a real queue. They say nothing of the truth. */
function describedAs(number: number): { readonly title: string; readonly author: string } {
  const of = (words: readonly string[]): string => words[number % words.length] ?? ''
  return { title: `${of(verbs)} ${of(things)}`, author: of(authors) }
}

// The server of a demo: in this process, with a faster clock and its log in a file.

/** Starts the server. Throws like `startServer`. Calls `onFailure` if the data cannot be written. */
async function startDemoServer(
  options: ServerOptions,
  onFailure: () => void,
): Promise<RunningServer> {
  // A server that fails to start must not write a log, because the folder may belong to another server.
  const early: string[] = []
  let file: number | null = null
  const write = (line: string): void => {
    if (file === null) early.push(line)
    else writeSync(file, line)
  }
  const server = await startServer(options, {
    logger: pino({ base: null }, { write }),
    // A demo always has a token.
    onFirstToken: () => undefined,
    onFailure,
  })
  const log = openSync(join(options.data, 'server.log'), 'w', 0o600)
  file = log
  for (const line of early) write(line)
  const stop = async (): Promise<void> => {
    await server.stop()
    file = null
    closeSync(log)
  }
  return { ...server, stop }
}

// The output: an introduction, then a status line.

type Introduced = {
  readonly speed: number
  readonly url: string
  readonly token: string
  readonly data: string
}

function introduction(scenario: Scenario, { speed, url, token, data }: Introduced): string {
  const count = generatedCount(scenario) + (scenario.pullRequests?.length ?? 0)
  const { targetBranch, ...repo } = queueOf(scenario)
  const queue = JSON.stringify({ repo, targetBranch })
  const curl = (path: string): string => `curl -s ${url}/v1/${path} -H 'x-api-token: ${token}'`
  const rows = [
    ['page', url],
    ['docs', `${url}/docs`],
    ['token', token],
    ['queue', `${curl('getQueue')} -H 'content-type: application/json' -d '${queue}'`],
    ['metrics', curl('getMergeQueueMetrics')],
    ['data', data],
  ]
  return [
    `${scenario.name}, ${speed} times real time: ${count} pull requests`,
    '',
    ...rows.map(([name = '', text = '']) => `  ${name.padEnd(9)} ${text}`),
    '',
    'Press Ctrl-C to stop.',
    '',
    '',
  ].join('\n')
}

/** Shows the status: on a terminal in one place, otherwise as a new line after each change. */
class StatusLine {
  readonly #out: CliContext['stdout']
  #last = ''

  constructor(out: CliContext['stdout']) {
    this.#out = out
  }

  show(line: string): void {
    if (line === this.#last) return
    const again = `${own('[G')}${line.padEnd(this.#last.length)}`
    this.#out.write(isTerminalStream(this.#out) ? again : `${line}\n`)
    this.#last = line
  }

  /** Ends the line, so that further output begins on a new line. */
  end(): void {
    if (this.#last !== '') this.#out.write('\n')
    this.#last = ''
  }
}
