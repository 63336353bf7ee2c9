/**
 * `npm start -- --demo <scenario>`: a real server, and a scenario's world that plays developers and
 * CI against it over HTTP, its clock and the server's running so many times as fast.
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, type Surroundings } from '../command-line/surroundings.ts'
import { drawsOf } from '../draw.ts'
import { Faults } from '../faults.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { loadScenario } from '../scenario/load.ts'
import { scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { World } from '../world/world.ts'
import { Api, ApiFault, type QueueRef } from './api.ts'
import { Merges } from './merges.ts'
import { readDemoOptions, type DemoOptions } from './options.ts'
import { Pace } from './pace.ts'
import { People } from './people.ts'
import { startReceiver, type Told } from './receiver.ts'
import { introduction, statusLine, StatusDisplay } from './screen.ts'
import { startServer, Webhook, type ServerProcess } from './server-process.ts'
import { Tally } from './tally.ts'
import { TestRuns } from './test-runs.ts'

const showEveryMs = 1_000

/** Runs until it is interrupted. Answers the exit code; never throws for what a person got wrong. */
export async function main(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = readDemoOptions(args, around.env)
    const scenario = loadScenario(options.scenario, options.name)
    return await withFolder(options, (data) => demonstrate(scenario, { options, data, around }))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    around.stderr.write(`${error.message}\n`)
    return error instanceof BadInput ? exitCodes.badInput : exitCodes.fails
  }
}

/** A folder that nobody named is removed in the end. */
async function withFolder(
  { data }: DemoOptions,
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

type Stage = {
  readonly options: DemoOptions
  readonly data: string
  readonly around: Surroundings
}

async function demonstrate(scenario: Scenario, stage: Stage): Promise<number> {
  const { options, data, around } = stage
  const { speed, rest } = options
  const token = options.token ?? `my_demo_${randomBytes(12).toString('hex')}`
  const server = await startServer({ data, speed, token, rest })
  const tally = new Tally()
  let play: Play | null = null
  let secret = ''
  const receiver = await startReceiver({
    secret: () => secret,
    onTold: (told) => {
      tally.hear(told)
      play?.hear(told)
    },
    onForged: () => void tally.forged++,
  })
  const webhook = await Webhook.add(data, receiver.url)
  secret = webhook.secret
  try {
    await webhook.untilKnown()
    const queue = queueOf(scenario)
    const api = new Api(server.url, token, queue)
    await createQueue(api, scenario)
    around.stdout.write(introduction({ scenario, speed, url: server.url, token, data, queue }))
    play = new Play(scenario, { api, speed, tally, around })
    return await untilEnd(server, play, around)
  } finally {
    play?.stop()
    await server.stop()
    receiver.close()
    await webhook.remove()
  }
}

/** Interrupted, it ends well; a server that goes by itself does not. */
async function untilEnd(
  server: ServerProcess,
  play: Play,
  { signal, stderr }: Surroundings,
): Promise<number> {
  const interrupted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  const code = await Promise.race([interrupted, server.ended])
  play.stop()
  if (code === null || code === 0) return exitCodes.holds
  stderr.write(`the server ended with ${code}\n`)
  return exitCodes.fails
}

function queueOf({ name }: Scenario): QueueRef {
  return { repo: { host: 'github.com', owner: 'demo', name }, targetBranch: 'main' }
}

async function createQueue(api: Api, { queue = {} }: Scenario): Promise<void> {
  try {
    await api.call('createQueue', queue)
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status !== 409) throw error
    const advice = 'this data folder holds the demo already: remove it, or give another one'
    throw new Error(advice, { cause: error })
  }
}

type PlayPorts = {
  readonly api: Api
  readonly speed: number
  readonly tally: Tally
  readonly around: Surroundings
}

/** The scenario's world at work. */
class Play {
  readonly #pace: Pace
  readonly #people: People
  readonly #runs: TestRuns
  readonly #ports: PlayPorts
  readonly #display: StatusDisplay
  readonly #timer: NodeJS.Timeout
  #isStopped = false
  #isOver = false

  constructor(scenario: Scenario, ports: PlayPorts) {
    const { api, speed, around } = ports
    this.#ports = ports
    this.#display = new StatusDisplay(around.stdout)
    this.#pace = new Pace(speed, (error) => this.#fault(error))
    const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
    const world = new World(scenario, draw)
    const faults = new Faults(scenario.faults ?? {}, draw)
    const merges = new Merges(api, (number) => world.main.add(number))
    const pace = this.#pace
    this.#runs = new TestRuns({ api, world, faults, merges, pace })
    this.#people = new People(scenario, draw, { api, world, pace })
    this.#timer = setInterval(() => {
      this.#show().catch((error: unknown) => this.#fault(error))
    }, showEveryMs)
  }

  hear({ type, test_run_id: run }: Told): void {
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
    const { api, tally, around } = this.#ports
    type Enqueued = { readonly enqueuedPullRequests: readonly unknown[] }
    const { enqueuedPullRequests } = await api.call<Enqueued>('getQueue')
    if (this.#isStopped || this.#isOver) return
    const enqueued = enqueuedPullRequests.length
    const { submitted, hasEnded } = this.#people
    const { reported } = this.#runs
    const nowMs = this.#pace.now
    this.#display.show(statusLine({ nowMs, submitted, enqueued, reported, tally }))
    // Who has left the queue is told of by webhook a moment later.
    if (!hasEnded || enqueued > 0 || tally.left < submitted) return
    this.#isOver = true
    this.#display.end()
    around.stdout.write('Everybody has left the queue. The server goes on until Ctrl-C.\n')
  }

  #fault(error: unknown): void {
    if (this.#isStopped) return
    this.#display.end()
    this.#ports.around.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
