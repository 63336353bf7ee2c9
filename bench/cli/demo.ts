/**
 * `mergeyard start --demo`: a real server, with the simulated developers and CI of a scenario as its
 * HTTP clients. The clocks of both run faster than real time.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import type { RunDemo } from '../../server/cli/start.ts'
import { withFolderLock } from '../../server/cli/place.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/server.ts'
import { type DataFolder, dataFolder } from '../../server/store/data-folder.ts'
import {
  makeEndpoint,
  readEndpoints,
  writeEndpoints,
  type Endpoint,
} from '../../server/webhooks/endpoints.ts'
import { readOutbox } from '../../server/webhooks/outbox-file.ts'
import { Api, ApiFault, type DemoQueueRef } from '../../sim/demo/api.ts'
import { Merges } from '../../sim/demo/merges.ts'
import { Pace } from '../../sim/demo/pacer.ts'
import { type WebhookMessage, startReceiver } from '../../sim/demo/receiver.ts'
import { introduction, StatusDisplay, statusLine, Tally } from '../../sim/demo/screen.ts'
import { SimulatedUsers } from '../../sim/demo/simulated-users.ts'
import { TestRunReporter } from '../../sim/demo/test-run-reporter.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import { Faults } from '../../sim/run/faults.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import { type Scenario, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import { World } from '../../sim/world/world.ts'
import { type CliContext, exitCodes } from '../../server/terminal/command.ts'
import { untilAborted } from '../../server/terminal/signals.ts'
import { messageOf } from '../../server/terminal/text.ts'

type Options = Parameters<RunDemo>[0]

/** Runs the demo until it is interrupted. Returns the exit code. Throws if it cannot start. */
export async function runDemo(options: Options, context: CliContext): Promise<number> {
  const scenario = loadScenario(options.scenario, options.name)
  return withDataFolder(options, (data) => runScenario(scenario, { options, data, context }))
}

async function withDataFolder(
  { data }: Options,
  work: (data: string) => Promise<number>,
): Promise<number> {
  if (data !== null) return work(data)
  const temporary = await mkdtemp(join(tmpdir(), 'mergeyard-demo-'))
  try {
    return await work(temporary)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
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
  const tally = new Tally()
  let run: DemoRun | null = null
  const webhook = new DemoWebhook(data)
  const receiver = await startReceiver({
    secret: () => webhook.secret,
    onMessage: (message) => {
      tally.onMessage(message)
      run?.onMessage(message)
    },
    onForged: () => void tally.forged++,
  })
  try {
    await webhook.add(receiver.url, failure.signal)
    const queue = queueOf(scenario)
    const api = new Api(server.url, token, queue)
    await createQueue(api, scenario)
    context.stdout.write(introduction({ scenario, speed, url: server.url, token, data, queue }))
    run = new DemoRun(scenario, { api, speed, tally, context })
    await untilAborted(context.signal, failure.signal)
  } finally {
    run?.stop()
    await server.stop()
    receiver.close()
    await webhook.remove()
  }
  if (!failure.signal.aborted) return exitCodes.success
  context.stderr.write('the server failed: see server.log in the data folder\n')
  return exitCodes.failure
}

function queueOf({ name }: Scenario): DemoQueueRef {
  return { repo: { host: 'github.com', owner: 'demo', name }, targetBranch: 'main' }
}

async function createQueue(api: Api, { queue = {} }: Scenario): Promise<void> {
  try {
    await api.call('createQueue', queue)
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status !== 409) throw error
    const advice = 'the data folder already contains this demo: remove it or choose another folder'
    throw new Error(advice, { cause: error })
  }
}

// A running demo: the simulated developers and CI of a scenario, as HTTP clients of a server.

const showEveryMs = 1_000

type DemoRunPorts = {
  readonly api: Api
  readonly speed: number
  readonly tally: Tally
  readonly context: CliContext
}

/** Runs from construction until `stop`, and updates the status line every second. */
class DemoRun {
  readonly #pace: Pace
  readonly #users: SimulatedUsers
  readonly #runs: TestRunReporter
  readonly #ports: DemoRunPorts
  readonly #display: StatusDisplay
  readonly #timer: NodeJS.Timeout
  #isStopped = false
  #isOver = false

  constructor(scenario: Scenario, ports: DemoRunPorts) {
    const { api, speed, context } = ports
    this.#ports = ports
    this.#display = new StatusDisplay(context.stdout)
    this.#pace = new Pace(speed, (error) => this.#fault(error))
    const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
    const world = new World(scenario, draw)
    const faults = new Faults(scenario.faults ?? {}, draw)
    const merges = new Merges(api, (number) => world.main.add(number))
    const pace = this.#pace
    this.#runs = new TestRunReporter({ api, world, faults, merges, pace })
    this.#users = new SimulatedUsers(scenario, draw, { api, world, pace })
    this.#timer = setInterval(() => {
      this.#show().catch((error: unknown) => this.#fault(error))
    }, showEveryMs)
  }

  /** Handles a verified message of the server. */
  onMessage({ type, test_run_id: run }: WebhookMessage): void {
    if (type !== 'pull_request.testing' || run === undefined) return
    this.#runs.begin(run).catch((error: unknown) => this.#fault(error))
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#pace.stop()
    this.#display.end()
  }

  async #show(): Promise<void> {
    const { api, tally, context } = this.#ports
    type Enqueued = { readonly enqueuedPullRequests: readonly unknown[] }
    const { enqueuedPullRequests } = await api.call<Enqueued>('getQueue')
    if (this.#isStopped || this.#isOver) return
    const enqueued = enqueuedPullRequests.length
    const { submitted, hasEnded } = this.#users
    const { reported } = this.#runs
    const nowMs = this.#pace.now
    this.#display.show(statusLine({ nowMs, submitted, enqueued, reported, tally }))
    // The webhook messages of the last pull requests arrive a moment later.
    if (!hasEnded || enqueued > 0 || tally.left < submitted) return
    this.#isOver = true
    this.#display.end()
    context.stdout.write('The queue is empty. The server runs until Ctrl-C.\n')
  }

  #fault(error: unknown): void {
    if (this.#isStopped) return
    this.#display.end()
    this.#ports.context.stderr.write(`${messageOf(error)}\n`)
  }
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

// The webhook of a demo, which notifies the simulated CI of test runs.

const pollEveryMs = 20

class DemoWebhook {
  readonly #folder: DataFolder
  #id = ''
  #secret = ''

  constructor(data: string) {
    this.#folder = dataFolder(data)
  }

  /** The secret that signs the messages; empty before `add`. */
  get secret(): string {
    return this.#secret
  }

  /** Adds the webhook. Resolves when the running server has read it or has failed. */
  async add(url: string, failure: AbortSignal): Promise<void> {
    const endpoint = makeEndpoint(url, null, new Date())
    const { id, secret } = endpoint
    await addEndpoint(this.#folder, endpoint)
    this.#id = id
    this.#secret = secret
    const isRead = (): boolean => readOutbox(this.#folder.outbox).deliveryQueues.has(id)
    while (!failure.aborted && !isRead()) await wait(pollEveryMs)
  }

  /** Removes the webhook if it was added. */
  async remove(): Promise<void> {
    if (this.#id !== '') await removeEndpoint(this.#folder, this.#id)
  }
}

// Changes the webhooks of a data folder. A running server reads changes within a second.

async function addEndpoint(folder: DataFolder, endpoint: Endpoint): Promise<void> {
  await withFolderLock(folder, async () => {
    await writeEndpoints(folder.webhooks, [...readEndpoints(folder.webhooks), endpoint])
  })
}

async function removeEndpoint(folder: DataFolder, id: string): Promise<void> {
  await withFolderLock(folder, async () => {
    const others = readEndpoints(folder.webhooks).filter((endpoint) => endpoint.id !== id)
    await writeEndpoints(folder.webhooks, others)
  })
}
