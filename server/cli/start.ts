/** `mergeyard start`: runs a server, or a server with a demo. An option overrides its environment variable. */

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataOption, ownDataPath, storeIn, withStoreFaults } from './place.ts'
import { withLocal } from './remote-server.ts'
import { serverDefaults } from '../server-defaults.ts'
import type { ServerOptions } from '../server.ts'
import { stateCases } from '../views/state-case.ts'
import { startFolder, type CliContext, commandOf, type Main } from '../terminal/command.ts'
import type { OptionTable, ParsedOptions, Usage } from '../terminal/options.ts'
import {
  type FaultOf,
  fromOneTo,
  oneOf,
  type Reader,
  upTo,
  webAddress,
} from '../terminal/readers.ts'
import { stopSignal } from '../terminal/signals.ts'
import type { Log } from './run-server.ts'

const logs = ['story', 'json', 'debug'] as const satisfies readonly Log[]

/** The options of every command that runs a server. */
export const serverTable = {
  'port <number>': {
    help: 'listen on this port; 0 means any free port',
    default: String(serverDefaults.port),
    variable: 'MERGEYARD_PORT',
  },
  'host <address>': {
    help: 'listen on this address',
    default: serverDefaults.host,
    variable: 'MERGEYARD_HOST',
  },
  ...dataOption,
  'token <text>': {
    help: 'accept this admin token in this process only; ps shows the option, but not the variable',
    variable: 'MERGEYARD_TOKEN',
    isSecret: true,
  },
  'state-case <value>': {
    value: stateCases.join('|'),
    help: 'use this letter case for states in responses',
    default: serverDefaults.stateCase,
    variable: 'MERGEYARD_STATE_CASE',
  },
  'keep-days <days>': {
    help: 'remove older segments of the command log; by default all are kept',
    variable: 'MERGEYARD_KEEP_DAYS',
  },
  'remember-days <days>': {
    help: 'forget pull requests this long after they left the queue',
    default: String(serverDefaults.rememberDays),
    variable: 'MERGEYARD_REMEMBER_DAYS',
  },
  'public-page': 'show the queues to everybody: no titles, names, tests or links, and no actions',
  'public-url <address>': {
    help: 'the address at which people reach the server; webhooks link to it, and with https its cookie is for https only',
    variable: 'MERGEYARD_PUBLIC_URL',
  },
  'log <what>': {
    value: logs.join('|'),
    help: 'what is logged: what happens in the queues, for people; JSON; or JSON with every request; by default story in a terminal without --store, else json',
    variable: 'MERGEYARD_LOG',
  },
  'watchers <number>': {
    help: 'at most this many pages watch the queues at once',
    default: '1000',
    variable: 'MERGEYARD_WATCHERS',
  },
} as const satisfies OptionTable

const table = {
  ...serverTable,
  'store <address>': {
    help: 'keep everything in this PostgreSQL instead of --data, shared with other servers: postgres://user@host/database',
    variable: 'MERGEYARD_STORE',
  },
  'demo <scenario>': {
    help: 'simulate the developers, the CI and the code host of this scenario; in a temporary folder without --data',
    variable: 'MERGEYARD_DEMO',
  },
  'speed <times>': {
    help: 'run the demo this many times faster than real time; the default 60 means one hour per minute',
    variable: 'MERGEYARD_SPEED',
  },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'start',
  npm: 'npm start --',
  about: `Serve the merge queue over HTTP until Ctrl-C or SIGTERM.

  mergeyard start --data /var/lib/mergeyard
  mergeyard start --store postgres://mergeyard@db/mergeyard
  mergeyard start --demo scenarios/flaky-storm.json --speed 600`,
  table,
  more: `Exit code: 0 stopped orderly; 1 the server failed or cannot start; 2 invalid input.
`,
}

type ParsedStartOptions = ParsedOptions<typeof table>

export type StartOptions = {
  readonly server: ServerOptions
  /** Null: a server without a demo. */
  readonly demo: DemoOptions | null
  /** The PostgreSQL that keeps the log; null: the data folder does. */
  readonly store: string | null
}

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function readStartOptions(parsed: ParsedStartOptions, env: NodeJS.ProcessEnv): StartOptions {
  const speed = parsed.readGiven('speed', readSpeed)
  const server = serverOptionsIn(parsed, env)
  const name = parsed.text('demo')
  const store = storeIn(parsed, 'data', 'keep-days')
  if (name === null) {
    if (speed !== null) throw parsed.fault('speed', 'also --demo, because only a demo has a speed')
    return { server, demo: null, store }
  }
  if (store !== null) throw parsed.fault('store', 'no --demo: a demo keeps its data in a folder')
  const scenario = resolve(startFolder(env), name)
  const ownData = parsed.isGiven('data') ? server.data : null
  return {
    server,
    demo: { scenario, name, speed: speed ?? defaultSpeed, data: ownData },
    store: null,
  }
}

type ParsedServerOptions = Pick<
  ParsedOptions<typeof serverTable>,
  'value' | 'fault' | 'isGiven' | 'flag' | 'read' | 'readGiven'
>

/** Converts the options that every server has. Throws `BadInput` for an invalid value. */
export function serverOptionsIn(
  parsed: ParsedServerOptions,
  env: NodeJS.ProcessEnv,
): ServerOptions {
  return {
    port: parsed.read('port', upTo(65_535)),
    host: parsed.value('host'),
    data: ownDataPath(parsed, env),
    token: parsed.readGiven('token', readToken),
    stateCase: parsed.read('state-case', readStateCase),
    keepDays: parsed.readGiven('keep-days', upTo(mostDays)),
    rememberDays: parsed.read('remember-days', fromOneTo(mostDays)),
    timeouts: serverDefaults.timeouts,
    speed: null,
    page: {
      pages: builtPages,
      publicPage: parsed.flag('public-page'),
      publicUrl: parsed.readGiven('public-url', readPublicUrl) ?? '',
      watchers: parsed.read('watchers', fromOneTo(mostWatchers)),
    },
  }
}

/** Where the build has put the pages, next to the compiled form of this file. */
const builtPages = {
  live: fileURLToPath(new URL('../../page', import.meta.url)),
  play: fileURLToPath(new URL('../../site', import.meta.url)),
}

/** Null: as fits where it goes. */
export const logOf = (parsed: ParsedServerOptions): Log | null =>
  parsed.readGiven('log', oneOf(logs))

const readPublicUrl: Reader<string> = (text, faultOf) => {
  const example = 'https://queue.example.com'
  const url = webAddress(example)(text, faultOf)
  if (new URL(url).pathname === '/') return url
  throw faultOf(
    `an address without a path, such as ${example}: the page is at the root of its host`,
  )
}

/** Each page needs a file descriptor and up to 256 KiB for what it has not read yet. */
const mostWatchers = 100_000

const mostDays = 36_500
const defaultSpeed = 60
const mostSpeed = 100_000

function readSpeed(text: string, faultOf: FaultOf): number {
  const speed = Number(text)
  if (/^\d+(?:\.\d+)?$/.test(text) && speed > 0 && speed <= mostSpeed) return speed
  throw faultOf(`a number above 0, up to ${mostSpeed}; 60 means one hour per minute`)
}

const readStateCase = (text: string, faultOf: FaultOf) =>
  oneOf(stateCases, stateCases.join(' or '))(text.toLowerCase(), faultOf)

/** A token may only contain characters that are valid in every HTTP header. */
function readToken(text: string, faultOf: FaultOf): string {
  if (/^[!-~]+$/.test(text)) return text
  throw faultOf('ASCII letters, digits and punctuation, without spaces')
}

/** What a demo is run with. */
type DemoOptions = {
  /** The path of the scenario file. */
  readonly scenario: string
  /** The path as the user wrote it, for messages. */
  readonly name: string
  /** How many times faster than real time. */
  readonly speed: number
  /** Null: a temporary folder, which is removed at the end. */
  readonly data: string | null
}

/** Runs a server with simulated users until it is interrupted. Returns the exit code. */
export type RunDemo = (
  options: DemoOptions & { readonly server: ServerOptions },
  context: CliContext,
) => Promise<number>

/** The simulator is a folder beside this one, so who puts the commands together says how a demo runs. */
export function startCommand(runDemo: RunDemo): Main {
  const start = commandOf(usage, async (parsed, context) => {
    const { server, demo, store } = readStartOptions(parsed, context.env)
    if (demo !== null) {
      const signal = stopSignal(context.signal, context.env)
      return runDemo({ ...demo, server }, { ...context, signal })
    }
    const { runServer } = await import('./run-server.ts')
    const options = { ...server, store, log: logOf(parsed) }
    if (store !== null) return runServer(options, context)
    return withLocal(server.data, { token: null, queues: [] }, (onListening) =>
      runServer(options, context, { onListening }),
    )
  })
  return withStoreFaults(start)
}
