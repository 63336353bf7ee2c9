/**
 * `mergeyard start --demo`: a real server, with the simulated developers and CI of a scenario as its
 * HTTP clients. The clocks of both run faster than real time.
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerOptions } from '../../../../server/server.ts'
import { Api, ApiFault, type DemoQueueRef } from '../../../../sim/demo/api.ts'
import { startReceiver } from '../../../../sim/demo/receiver.ts'
import { introduction } from '../../../../sim/demo/screen.ts'
import { Tally } from '../../../../sim/demo/tally.ts'
import { loadScenario } from '../../../../sim/scenario/load.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { exitCodes, type CliContext } from '../../../../sim/terminal/context.ts'
import { untilAborted } from '../../../../sim/terminal/signals.ts'
import { DemoRun } from './demo-run.ts'
import { startDemoServer } from './server.ts'
import { DemoWebhook } from './webhook.ts'

export type DemoOptions = {
  /** The path of the scenario file. */
  readonly scenario: string
  /** The path as the user wrote it, for messages. */
  readonly name: string
  /** How many times faster than real time. */
  readonly speed: number
  /** Null: a temporary folder, which is removed at the end. */
  readonly data: string | null
}

type Options = DemoOptions & { readonly server: ServerOptions }

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
