/** `mergeyard init`: writes the settings of a queue for the repository it stands in. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pino } from 'pino'
import { addressOfRemote, settingsPath, withStoreFaults, gitIn, settingsName } from './place.ts'
import { BadLines } from '../terminal/bad-input.ts'
import { commandOf, exitCodes, startFolder } from '../terminal/command.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { oneOf } from '../terminal/readers.ts'
import { writeText } from '../terminal/output.ts'
import { writeResultFile } from '../terminal/files.ts'
import { columns, messageOf, withoutCredentials } from '../terminal/text.ts'
import { readConfiguration } from './configuration.ts'
import { type Kind, kinds, tokenVariableOf } from './code-hosts.ts'
import { adapterFor } from '../code-hosts.ts'
import { headIn, refuseOldGit } from '../git/git.ts'
import type { CodeHostApi } from '../code-host/api.ts'
import { labelOfNew } from '../hosting/options.ts'
import { isLocal, repositoryIn } from '../identity/queue-ref.ts'

const table = {
  'host <kind>': `${kinds.join(', ')}, or git for any other; by default what the address of the remote suggests`,
  'test <command>':
    'the test command; by default the workflows of the host, or the one that is found in the files',
  'remote <name>': { help: 'the remote to merge in', default: 'origin' },
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'init',
  about: `Write a mergeyard.json for the repository of this folder, which \`serve\` and \`doctor\` then find: the
host, the default branch, how it is tested, the checks that the host requires, if a token is set, and
the label that submits a pull request.`,
  table,
  more: 'Exit codes: 0 written, 2 not written, and nothing has changed.\n',
}

export const main = withStoreFaults(
  commandOf(usage, async (parsed, { stdout, env }) => {
    const here = startFolder(env)
    const path = settingsPath(here)
    if (existsSync(path)) {
      throw new BadLines([`init: ${path} is there already: change it, or remove it first`])
    }
    await refuseOldGit()
    const remote = parsed.value('remote')
    const address = addressOfRemote(here, remote)
    if (address === null) {
      const what = `init: ${here} is in no clone with a remote ${remote}`
      throw new BadLines([`${what}: change into one, or name another with --remote`])
    }
    const hosts = [...kinds, 'git'] as const
    const asked = parsed.readGiven('host', oneOf(hosts, `one of ${hosts.join(', ')}`))
    const kind = asked === 'git' ? null : (asked ?? kindOf(address))
    const place = { kind, remote, address, branch: defaultBranch(here, remote) }
    const { queue, rows } = await detected('init', place, { path, test: parsed.text('test'), env })
    writeResultFile(path, [`${JSON.stringify({ queues: [queue] }, null, 2)}\n`])
    const more = [
      ['written', path],
      ['next', '`mergeyard doctor` says what is missing, `mergeyard serve` begins'],
    ]
    await writeText(stdout, columns([...rows, ...more]))
    return exitCodes.success
  }),
)

// What a clone tells about a queue for its repository: the host, the branch, the tests, the checks.

/** A branch of a repository, as a clone names it. */
export type Place = {
  readonly kind: Kind | null
  readonly remote: string
  readonly address: string
  readonly branch: string
}

export type Detected = {
  /** As `mergeyard.json` has it. */
  readonly queue: object
  /** What was found, for people. */
  readonly rows: readonly (readonly string[])[]
}

/** The queue for a place. `path`: of the settings, in the top of the clone. Throws `BadLines`: nothing tells how it is tested. */
export async function detected(
  command: string,
  place: Place,
  {
    path,
    test,
    env,
  }: { readonly path: string; readonly test: string | null; readonly env: NodeJS.ProcessEnv },
): Promise<Detected> {
  const { kind, address, branch } = place
  const { tests, words } = await testsOf(command, dirname(path), { kind, asked: test })
  const queue = { ...entryOf(place), ...(tests ? { tests } : {}) }
  const checks = await checksOf(place, { queue, isCiTested: tests === null, path, env })
  const set = { ...(kind === null ? {} : { enqueueingLabel: labelOfNew }), ...checks.set }
  const onHost = [
    ['checks', checks.words],
    ['label', `${labelOfNew} submits a pull request; ${checks.label}`],
  ]
  const rows = [
    ['repository', `${shareable(address)}, branch ${branch}`],
    ['tests', words],
    ...(kind === null ? [] : onHost),
  ]
  return { queue: { ...queue, set }, rows }
}

/** Null: no kind that the name of the host tells. */
export function kindOf(address: string): Kind | null {
  if (isLocal(address)) return null
  const { host } = repositoryIn(address)
  if (host === 'github.com') return 'github'
  if (/(^|\.)gitlab\./.test(host)) return 'gitlab'
  return /^codeberg\.org$|gitea|forgejo/.test(host) ? 'gitea' : null
}

/** As the clone knows it, else as the remote says it. */
export function defaultBranch(folder: string, remote: string): string {
  const remotes = `refs/remotes/${remote}/`
  const known = gitIn(folder, 'symbolic-ref', `${remotes}HEAD`)
  if (known !== null) return known.slice(remotes.length)
  return headIn(gitIn(folder, 'ls-remote', '--symref', remote, 'HEAD') ?? '') ?? 'main'
}

/** Credentials are the user's, and not for a file that is shared; over SSH the user is part of the address. */
function shareable(address: string): string {
  return /^https?:/.test(address) ? withoutCredentials(address) : address
}

/** The queue as the file names it. */
function entryOf({ kind, address, branch: targetBranch }: Place) {
  const { host, owner, name } = repositoryIn(address)
  if (kind === null) return { url: shareable(address), targetBranch }
  if (kind === 'github') {
    const repo = `${owner}/${name}`
    return { github: host === 'github.com' ? { repo } : { repo, host }, targetBranch }
  }
  const isWeb = /^https?:/.test(address)
  const origin = isWeb ? new URL(address).origin : `https://${host}`
  return { [kind]: { repo: `${origin}/${owner}/${name}` }, targetBranch }
}

// How the repository is tested, as its files tell.

type Tool = {
  readonly file: string
  /** In that file; without it the file is enough. */
  readonly has?: RegExp
  readonly setup?: string
  readonly run: string
}

/** What `npm init` writes is no test. */
const ownScript = /"test"\s*:\s*"(?!echo \\"Error: no test specified)/

/** The first one whose file is there. */
const tools: readonly Tool[] = [
  { file: 'pnpm-lock.yaml', setup: 'pnpm install --frozen-lockfile', run: 'pnpm test' },
  { file: 'yarn.lock', setup: 'yarn install --frozen-lockfile', run: 'yarn test' },
  { file: 'bun.lock', setup: 'bun install --frozen-lockfile', run: 'bun run test' },
  { file: 'package-lock.json', setup: 'npm ci', run: 'npm test' },
  { file: 'package.json', setup: 'npm install', run: 'npm test' },
  { file: 'Cargo.toml', run: 'cargo test' },
  { file: 'go.mod', run: 'go test ./...' },
  { file: 'mvnw', run: './mvnw -B verify' },
  { file: 'pom.xml', run: 'mvn -B verify' },
  { file: 'gradlew', run: './gradlew check' },
  { file: 'mix.exs', setup: 'mix deps.get', run: 'mix test' },
  { file: 'tox.ini', run: 'tox' },
  { file: 'pyproject.toml', has: /pytest/, run: 'python3 -m pytest' },
  { file: 'Makefile.PL', run: 'perl Makefile.PL && make test' },
  { file: 'Build.PL', run: 'perl Build.PL && ./Build test' },
  { file: 'Makefile', has: /^test:/m, run: 'make test' },
  { file: 'Makefile', has: /^check:/m, run: 'make check' },
]

type FoundTests = {
  /** As the file names them; null: the CI of the host tests. */
  readonly tests: { readonly kind: 'command'; readonly run: string } | null
  readonly words: string
}

async function testsOf(
  command: string,
  top: string,
  { kind, asked }: { readonly kind: Kind | null; readonly asked: string | null },
): Promise<FoundTests> {
  if (asked !== null) return { tests: { kind: 'command', run: asked }, words: asked }
  const { ciPaths } = kind === null ? { ciPaths: [] } : await adapterFor(kind)
  const ci = ciPaths.find((path) => existsSync(join(top, path)))
  if (ci !== undefined) return { tests: null, words: `the CI of the host, as ${ci} says` }
  const textOf = (file: string): string | null =>
    existsSync(join(top, file)) ? readFileSync(join(top, file), 'utf8') : null
  const isNode = ownScript.test(textOf('package.json') ?? '')
  const tool = tools.find(({ file, run, has = /^/ }) => {
    const text = textOf(file)
    return text !== null && has.test(text) && (isNode || !/^(?:pnpm|yarn|bun|npm) /.test(run))
  })
  if (!tool) {
    throw new BadLines([
      `${command}: no test command was found in the files at the top of ${basename(top)}: name it with --test "<command>"`,
    ])
  }
  const { file, has: _has, ...commands } = tool
  const { setup, run } = commands
  const words = `${setup === undefined ? '' : `${setup}, then `}${run}, because of ${file}`
  return { tests: { kind: 'command', ...commands }, words }
}

// Which checks decide, as the host says it.

type Checks = {
  readonly set: { readonly requiredStatuses?: readonly string[] }
  readonly words: string
  /** What became of the label. */
  readonly label: string
}

type Asked = {
  readonly queue: object
  readonly isCiTested: boolean
  readonly path: string
  readonly env: NodeJS.ProcessEnv
}

/** Asks the host, and lets it have the label. */
async function checksOf(place: Place, asked: Asked): Promise<Checks> {
  const { kind } = place
  if (kind === null) return { set: {}, words: '', label: '' }
  const unmade = 'it is not known whether the host has it: create it there'
  const variable = tokenVariableOf(kind)
  if ((asked.env[variable] ?? '') === '') {
    return { set: {}, words: `not asked: there is no token in ${variable}`, label: unmade }
  }
  try {
    const [options] = readConfiguration(asked.path, settingsName, asked.env, {
      queues: [asked.queue],
    })
    if (!options?.codeHost) return { set: {}, words: '', label: unmade }
    const api = (await adapterFor(kind)).open(options.codeHost, pino({ enabled: false }), undefined)
    return { ...(await requiredOf(api, place, asked)), label: await labelMade(api) }
  } catch (error) {
    return { set: {}, words: `not known: ${messageOf(error)}`, label: unmade }
  }
}

async function labelMade(api: CodeHostApi): Promise<string> {
  try {
    await api.makeLabel(labelOfNew)
    return `${api.name} has it`
  } catch (error) {
    return `create it there: ${messageOf(error)}`
  }
}

/**
 * What the rules of the branch require is followed as it is. Where they require nothing, the checks of its last commit
 * are written down: somebody must say what has to pass.
 */
async function requiredOf(
  api: CodeHostApi,
  { branch, remote }: Place,
  { isCiTested, path }: Asked,
): Promise<Omit<Checks, 'label'>> {
  const required = namesOf((await api.rules(branch)).checks)
  if (required.length > 0) {
    return { set: {}, words: `${required.join(', ')}, as ${branch} requires` }
  }
  if (!isCiTested) return { set: {}, words: 'none; the test command decides' }
  const tip = gitIn(dirname(path), 'rev-parse', `refs/remotes/${remote}/${branch}`)
  const seen = tip === null ? [] : namesOf((await api.checks(tip, branch)).checks)
  if (seen.length === 0) {
    const words = `none: protect ${branch} with some, or name them in requiredStatuses`
    return { set: {}, words }
  }
  const words = `${seen.join(', ')}, as the last commit of ${branch} had; ${branch} requires none`
  return { set: { requiredStatuses: seen }, words }
}

function namesOf(checks: readonly { readonly name: string }[]): string[] {
  return [...new Set(checks.map(({ name }) => name))].sort()
}
