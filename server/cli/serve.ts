/** `mergeyard serve`: merges the pull requests of a git repository. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { pino } from 'pino'
import { defaultKeep, defaultPollSeconds, readConfiguration } from './configuration.ts'
import { guessed, type Guess } from './guess.ts'
import { configurationWith, type RecordedSettings } from '../../engine/index.ts'
import { isRepository, kinds, queueOn, tokenVariableOf } from './code-hosts.ts'
import { placeNamed, settingsName, settingsPath, storeIn, withStoreFaults } from './place.ts'
import { withLocal } from './remote-server.ts'
import type { ServePorts } from './run-server.ts'
import { logOf, serverTable, serverOptionsIn } from './start.ts'
import { waysToSubmit } from '../code-host/report.ts'
import { CodeHostFailed } from '../code-host/rest.ts'
import { codeHostsFor } from '../code-hosts.ts'
import { GitFailed, refuseOldGit } from '../git/git.ts'
import { defaultBranch, mirrorFolder } from '../hosting/hosts.ts'
import {
  settingsOfNew,
  type CommandTests,
  type HostOptions,
  CannotHost,
  refuseUnworkable,
} from '../hosting/options.ts'
import { isLocal, repositoryIn, nameOfQueue, type Repository } from '../identity/queue-ref.ts'
import { limitNames, type Limits } from '../runner/limits.ts'
import type { ReadReports } from '../runner/verdict.ts'
import { BadInput, BadLines } from '../terminal/bad-input.ts'
import { startFolder, commandOf, type Main } from '../terminal/command.ts'
import type { OptionTable, ParsedOptions, Usage } from '../terminal/options.ts'
import { fromOne, fromOneTo, oneOf } from '../terminal/readers.ts'
import { writeText } from '../terminal/output.ts'
import { columns, joinedLines, withoutCredentials } from '../terminal/text.ts'
import { hasBubblewrap } from '../runner/bubblewrap.ts'

/** What names the queues to work on. */
export const repositoryTable = {
  'repo <path|url|remote>':
    'the repository to merge in; origin means that of the clone in this folder',
  'github <owner/name>': `the same on GitHub, with the token in ${tokenVariableOf('github')}; its workflows test`,
  'gitea <address>': `the same on Gitea or Forgejo, with the token in ${tokenVariableOf('gitea')}`,
  'gitlab <address>': `the same on GitLab, with the token in ${tokenVariableOf('gitlab')}`,
  'branch <name>': 'the target branch; without it the default branch of the repository',
  'test <command>': 'the test command, for /bin/sh; 0 means passed',
  'setup <command>':
    'runs before the tests unless its inputs are known to be unchanged, e.g. "npm ci"',
  'setup-when <path>...': 'more inputs of the setup than lock files: files, folders or patterns',
  'junit <glob>...': 'the JUnit reports of the test command',
  'bind <path>...':
    'what the tests see and may change outside of their work tree, where bubblewrap works',
  'limit <name=n>...': `what a test run may use: ${limitNames.join(', ')}; one that uses more has failed`,
  'concurrency <n>': 'test runs at once',
  'batch <n>': 'pull requests in a batch; 1 means no batches',
  'timeout <minutes>':
    'how long a test run may take; by default three times what nearly all passing runs take',
  'config <file>':
    'the queues, instead of the options above; without any of them the mergeyard.json of the folder. mergeyard.schema.json describes it',
} as const satisfies OptionTable

const table = {
  ...repositoryTable,
  ...serverTable,
  'store <address>': {
    help: 'keep the queues in this PostgreSQL, shared with other servers, of which one works; --data has copies only',
    variable: 'MERGEYARD_STORE',
  },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'serve',
  about: `Merge the pull requests of a git repository, until Ctrl-C or SIGTERM. They are the branches below
queue/, and what \`mergeyard submit\` names. The test command runs their code as this user.
A new queue has the policy adaptive: what its tests have shown decides what a failure means.

  mergeyard serve --repo origin --test "npm test"
  mergeyard serve --repo ../shop.git --test "npm test" --setup "npm ci" --batch 4
  mergeyard serve --github acme/shop --batch 4
  mergeyard serve --gitea https://codeberg.org/acme/shop
  mergeyard serve --gitlab https://gitlab.com/acme/shop
  mergeyard serve                        with the mergeyard.json of this folder, else with what its clone suggests
  mergeyard serve --config mergeyard.json --store postgres://mergeyard@db/mergeyard`,
  table,
  more: `Exit code: 0 stopped orderly; 1 the server failed; 2 invalid input, and nothing has changed.
`,
}

type ParsedServeOptions = Pick<
  ParsedOptions<typeof repositoryTable>,
  'text' | 'value' | 'list' | 'given' | 'isGiven' | 'fault' | 'readGiven' | 'readList'
>

/** The queues to work on. `data` is the data folder. Rejects with `BadInput`. */
export async function hostingIn(
  command: string,
  parsed: ParsedServeOptions,
  env: NodeJS.ProcessEnv,
  data: string,
): Promise<HostOptions[]> {
  const file = parsed.text('config')
  if (file !== null) {
    for (const other of places) {
      if (parsed.isGiven(other)) throw parsed.fault('config', `either --config or --${other}`)
    }
    return readConfiguration(resolve(startFolder(env), file), file, env)
  }
  const found = settingsPath(startFolder(env))
  if (!isAnyGiven(parsed) && existsSync(found)) return readConfiguration(found, settingsName, env)
  const codeHost = onCodeHost(parsed, env)
  if (codeHost) return [await withBranch(codeHost, parsed.text('branch'), data)]
  const written = parsed.text('repo')
  if (written === null) {
    const expected =
      'the repository, as a path or an address, or a mergeyard.json here, which `mergeyard init` writes'
    throw missing(command, '--repo', expected)
  }
  const url = isLocal(written) ? placeNamed(written, startFolder(env)) : written
  if (url === null) {
    throw parsed.fault(
      'repo',
      'a path that exists, an address, or a remote of the clone in this folder',
    )
  }
  const ref = repositoryIn(url)
  const pollMs = defaultPollSeconds * 1_000
  const queue = { ref, url, tests: testsIn(command, parsed, env), set: settingsIn(parsed), pollMs }
  return [await withBranch(queue, parsed.text('branch'), data)]
}

type WithoutBranch = Omit<HostOptions, 'ref'> & { readonly ref: Repository }

/** The queue for a branch; null: for the default branch of its repository. */
async function withBranch(
  { ref, ...rest }: WithoutBranch,
  branch: string | null,
  data: string,
): Promise<HostOptions> {
  const at = (targetBranch: string): HostOptions => ({ ...rest, ref: { ...ref, targetBranch } })
  if (branch !== null) return at(branch)
  const codeHosts = await codeHostsFor([at('')], pino({ enabled: false }))
  return at(await defaultBranch(data, rest.url, codeHosts?.gitAccess(at('')) ?? null))
}

/** The queue that the clone around the folder tells, if nothing names one; null: something does, or there is none. */
export async function guessIn(
  command: string,
  parsed: ParsedServeOptions,
  env: NodeJS.ProcessEnv,
  data: string,
): Promise<Guess | null> {
  const folder = startFolder(env)
  const isNamed = parsed.isGiven('config') || places.some((place) => parsed.isGiven(place))
  if (isNamed || existsSync(settingsPath(folder))) return null
  // Without git no folder looks like a clone.
  await refuseOldGit()
  const [branch, test] = [parsed.text('branch'), parsed.text('test')]
  const guess = await guessed({ command, folder, env, data, branch, test })
  return (
    guess && {
      ...guess,
      hosting: guess.hosting.map(({ tests, set, ...host }) => ({
        ...host,
        set: { ...set, ...settingsIn(parsed) },
        tests: tests.kind === 'command' ? testsIn(command, parsed, env, tests) : tests,
      })),
    }
  )
}

/** Options about a repository leave no doubt that the file of the folder is not meant. */
function isAnyGiven(parsed: ParsedServeOptions): boolean {
  const names = new Set(Object.keys(repositoryTable).map((flags) => flags.split(' ')[0]))
  return parsed.given.some((name) => names.has(name))
}

/** What names the one repository. */
const places = ['repo', ...kinds] as const

/** The queue on a code host with an API; null: the repository is somewhere else. */
function onCodeHost(parsed: ParsedServeOptions, env: NodeJS.ProcessEnv): WithoutBranch | null {
  const [kind, other] = places.filter((place) => parsed.isGiven(place)).reverse()
  if (kind === undefined || kind === 'repo') return null
  if (other !== undefined) throw parsed.fault(kind, `either --${kind} or --${other}`)
  const repo = parsed.text(kind) ?? ''
  if (kind === 'github' && !isRepository(repo)) throw parsed.fault('github', 'owner/name')
  const place = queueOn(kind, repo, { folder: startFolder(env), env })
  const queue = { ...place, set: settingsIn(parsed) }
  return parsed.isGiven('test') ? { ...queue, tests: testsIn('serve', parsed, env) } : queue
}

function testsIn(
  command: string,
  parsed: ParsedServeOptions,
  env: NodeJS.ProcessEnv,
  found?: Pick<CommandTests, 'run' | 'setup'>,
): CommandTests {
  const run = parsed.text('test') ?? found?.run ?? ''
  if (run.trim() === '') throw missing(command, '--test', 'the test command, such as "npm test"')
  return {
    kind: 'command',
    run,
    setup: parsed.text('setup') ?? found?.setup ?? null,
    setupWhen: parsed.list('setup-when'),
    junit: parsed.list('junit'),
    keep: defaultKeep,
    environment: [],
    bind: parsed.list('bind').map((path) => resolve(startFolder(env), path)),
    limits: limitsIn(parsed),
  }
}

function limitsIn(parsed: ParsedServeOptions): Partial<Limits> {
  const expected = `one of ${limitNames.join(', ')}, then = and a whole number from 1`
  const given = parsed.readList('limit', (text, faultOf) => {
    const fault = (): BadInput => faultOf(expected)
    const [name = '', value = ''] = text.split('=')
    return [oneOf(limitNames)(name, fault), fromOne(value, fault)] as const
  })
  return Object.fromEntries(given)
}

/** A week. */
const mostMinutes = 10_080

function settingsIn(parsed: ParsedServeOptions): RecordedSettings {
  const batch = parsed.readGiven('batch', fromOneTo(1_000))
  const concurrency = parsed.readGiven('concurrency', fromOneTo(1_000))
  const minutes = parsed.readGiven('timeout', fromOneTo(mostMinutes))
  return {
    ...(batch === null ? {} : batchesOf(batch)),
    ...(concurrency === null ? {} : { concurrency }),
    ...(minutes === null ? {} : { testingTimeoutMinutes: minutes }),
  }
}

/** A batch holds those that wait anyhow; nobody waits for it to fill. */
function batchesOf(size: number): RecordedSettings {
  if (size === 1) return { batch: false }
  return { batch: true, batchingMinSize: size, batchingMaxWaitTimeMinutes: 0 }
}

function missing(command: string, where: string, expected: string): BadInput {
  return new BadInput(command, [{ where, expected, actual: 'nothing' }])
}

/** `readReports` reads the JUnit reports that a test command has written. */
export function serveCommand(readReports: ReadReports): Main {
  return withStoreFaults(
    commandOf(usage, async (parsed, context) => {
      const server = serverOptionsIn(parsed, context.env)
      await inOneLine(refuseOldGit)
      const guess = await guessIn('serve', parsed, context.env, server.data)
      const hosting = guess?.hosting ?? (await hostingIn('serve', parsed, context.env, server.data))
      refuseMissingCommands(hosting)
      await guess?.copy?.()
      const exposed = exposureOf(hosting)
      const store = storeIn(parsed, 'keep-days')
      // A repository that was there before may be away for a while: the server waits for it.
      const unknown = hosting.filter(({ url }) => !existsSync(mirrorFolder(server.data, url)))
      await inOneLine(() => refuseEach(unknown))
      const fetching = store === null ? fetchingOf(unknown) : ''
      await writeText(context.stdout, `${columns(guess?.rows ?? [])}${fetching}`)
      const token = server.token ?? randomBytes(24).toString('base64url')
      const queues = hosting.map(({ ref }) => nameOfQueue(ref))
      const { runServer } = await import('./run-server.ts')
      const log = logOf(parsed)
      const options = { ...server, token, hosting, store, log }
      const own = server.token === null ? token : null
      const introduced = (url: string): string => introOf(url, { hosting, token: own })
      const ports: ServePorts = { readReports, introduced, warning: exposed ?? '' }
      return withLocal(server.data, { token: own, queues }, (onListening) =>
        inOneLine(() => runServer(options, context, { ...ports, onListening })),
      )
    }),
  )
}

/** A large history takes minutes, and nothing else is said meanwhile. */
function fetchingOf(unknown: readonly HostOptions[]): string {
  const addresses = new Set(unknown.map(({ url }) => withoutCredentials(url)))
  const all = [...addresses].join(', ')
  return all && `Fetches the history of ${all}, this once, and then answers\n`
}

/** Whether the server can work on each repository, before anything is written. */
async function refuseEach(hosting: readonly HostOptions[]): Promise<void> {
  const codeHosts = await codeHostsFor(hosting, pino({ enabled: false }))
  await Promise.all(
    hosting.map((options) => refuseUnworkable(options, codeHosts?.gitAccess(options))),
  )
}

/** A repository that cannot be worked on is invalid input: one line, whatever git has printed. */
async function inOneLine<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const isKnown = [CannotHost, GitFailed, CodeHostFailed].some((kind) => error instanceof kind)
    if (!isKnown || !(error instanceof Error)) throw error
    throw new BadLines([`serve: ${joinedLines(error.message)}`])
  }
}

/** On the host too, if that is the same for all queues. */
function howToSubmit(hosting: readonly HostOptions[]): string {
  const command = 'mergeyard submit <branch or number>'
  const ways = hosting.map(({ codeHost, set }) => {
    const onHost = codeHost ? waysToSubmit(configurationWith(settingsOfNew(set))) : []
    return [...onHost, command].join(', or ')
  })
  return ways.every((way) => way === ways[0]) ? (ways[0] ?? command) : command
}

/** What somebody who has just started it in a terminal needs next. `token`: of this start only; null: it was given. */
export function introOf(
  url: string,
  { hosting, token }: { readonly hosting: readonly HostOptions[]; readonly token: string | null },
): string {
  const queues = hosting.map(({ ref, url: from, tests }) => {
    const by = tests.kind === 'command' ? `, tested by \`${tests.run}\`` : ''
    return ['merges', `into ${ref.targetBranch} of ${from}${by}`]
  })
  const signIn = token ?? 'the text of MERGEYARD_TOKEN'
  return columns([
    ...queues,
    ['page', url],
    ['sign in', `with the token ${signIn}`],
    ['next', howToSubmit(hosting)],
    ['', 'mergeyard why <branch or number>, mergeyard queue'],
  ])
}

// A test command that does not exist would fail every pull request, so the start refuses it.

/** Throws `BadInput` for a command whose program this machine does not have. */
function refuseMissingCommands(hosting: readonly HostOptions[]): void {
  for (const { tests, targets } of hosting) {
    const test = tests.kind === 'command' ? tests : { run: null, setup: null }
    for (const [where, command] of [
      ['--test', test.run],
      ['--setup', test.setup],
      ['targets', targets && 'command' in targets ? targets.command : null],
    ] as const) {
      const program = programOf(command ?? '')
      if (program === null || isThere(program)) continue
      const expected = `a command of which this machine has the program ${program}`
      throw new BadInput('serve', [{ where, expected, actual: command ?? '' }])
    }
  }
}

/**
 * Why commands of pull requests reach the secrets of the server, in one line for a person; null: they do not,
 * or there are none.
 */
export function exposureOf(hosting: readonly HostOptions[]): string | null {
  const commands = hosting.filter(
    ({ tests, targets = {} }) => tests.kind === 'command' || 'command' in targets,
  )
  if (commands.length === 0) return null
  const isOff = commands.some(({ tests }) => tests.kind === 'command' && tests.bubblewrap === false)
  return exposure({ isInstalled: isThere('bwrap'), works: hasBubblewrap(), isOff })
}

type Bubblewrap = {
  readonly isInstalled: boolean
  readonly works: boolean
  /** It is switched off for a queue. */
  readonly isOff: boolean
}

/** Only what runs in namespaces has no way to the secrets. */
export function exposure({ isInstalled, works, isOff }: Bubblewrap): string | null {
  if (works && !isOff) return null
  const why = works
    ? '"bubblewrap" is false'
    : isInstalled
      ? 'bubblewrap is installed, but this user may make no namespaces'
      : 'bubblewrap is not installed'
  return `${why}: tests can read the admin token, and all else that this user can read`
}

/** The first word; null if it may be in the repository, or the shell decides what it is. */
export function programOf(command: string): string | null {
  const [word = ''] = command.trim().split(/\s+/)
  return /^[\w.+-]+$/.test(word) ? word : null
}

export function isThere(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' }).status === 0
}
