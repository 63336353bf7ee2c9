/** `mergeyard doctor`: checks that a repository and this machine have what a queue needs. */

import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pino, type Logger } from 'pino'
import { programOf, isThere, exposureOf, guessIn, hostingIn, repositoryTable } from './serve.ts'
import { configurationWith } from '../../engine/index.ts'
import { answering, dataOption, dataPathOf, existing } from './place.ts'
import { isNearlyFull } from '../runner/room.ts'
import type { CodeHostApi } from '../code-host/api.ts'
import {
  fault,
  note,
  ok,
  otherCiIn,
  requestFindings,
  seenFindings,
  type Finding,
} from '../code-host/finding.ts'
import { waysToSubmit } from '../code-host/report.ts'
import type { Adapter } from '../code-host/code-hosts.ts'
import { adapterFor } from '../code-hosts.ts'
import { git, runGit, refuseOldGit } from '../git/git.ts'
import {
  type CommandTests,
  type HostOptions,
  settingsOfNew,
  type CodeHostOptions,
  refuseSha256,
  refuseShallow,
  refuseUnpushable,
} from '../hosting/options.ts'
import { nameAmong } from '../identity/queue-ref.ts'
import { exitCodes, withPlainErrors } from '../terminal/command.ts'
import { inScratch } from '../terminal/files.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import {
  columns,
  count,
  joinedLines,
  messageOf,
  several,
  withoutCredentials,
} from '../terminal/text.ts'

const table = { ...repositoryTable, ...dataOption } as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'doctor',
  about: `Check that a repository and this machine have what a queue needs. It takes the
options of serve about repositories and tests, and changes nothing.

  mergeyard doctor --repo ../shop.git --test "npm test"
  mergeyard doctor --github acme/shop
  mergeyard doctor --config mergeyard.json`,
  table,
  more: 'Exit codes: 0 all is well, 1 something is missing, 2 wrong arguments.\n',
}

export const main = withPlainErrors(
  answering(usage, async (parsed, { env }) => {
    const data = dataPathOf(parsed, env)
    const guess = await guessIn('doctor', parsed, env, data)
    const hosting = guess?.hosting ?? (await hostingIn('doctor', parsed, env, data))
    const found = guess?.rows.map(([what = '', words = '']) => note(what, words)) ?? []
    const checks: readonly Check[] = [
      ...found,
      ...(await checksOf(hosting, data, Boolean(guess?.copy))),
    ]
    const rows = checks.map((check) => {
      const { what, words, queue } = check
      return [resultOf(check), ...(hosting.length > 1 ? [queue ?? ''] : []), what, words]
    })
    const code = checks.every(({ isOk }) => isOk) ? exitCodes.success : exitCodes.failure
    return { document: checks, text: columns(rows), code }
  }),
)

function resultOf({ isOk, isNote }: Check): string {
  if (isNote) return 'note'
  return isOk ? 'ok' : 'FAULT'
}

// One line of `mergeyard doctor`.

export type Check = Finding & {
  /** Of several queues, that of which it is; absent: it is of the machine. */
  readonly queue?: string
}

function faultOf(what: string, error: unknown): Check {
  return fault(what, joinedLines(withoutCredentials(messageOf(error))))
}

/** A check that throws is a fault, and its message says what is wrong. */
export async function checked(what: string, find: () => Promise<string> | string): Promise<Check> {
  try {
    return ok(what, await find())
  } catch (error) {
    return faultOf(what, error)
  }
}

// What a queue needs of its repository and of this machine. Nothing is changed.

/**
 * Checks the machine, then each queue. `data` is where the data folder is or will be; `isCopied`: only `serve` makes
 * the repository.
 */
async function checksOf(
  hosting: readonly HostOptions[],
  data: string,
  isCopied: boolean,
): Promise<Check[]> {
  const checks = await checksOfMachine(hosting, data)
  const refs = hosting.map(({ ref }) => ref)
  for (const options of hosting) {
    const queue = nameAmong(options.ref, refs)
    const found = isCopied ? checksOfTests(options) : await checksOfQueue(options)
    checks.push(...(queue === '' ? found : found.map((check) => ({ ...check, queue }))))
  }
  return checks
}

async function checksOfQueue(options: HostOptions): Promise<Check[]> {
  const { codeHost, url } = options
  if (!codeHost) return checksOfRepository(options, {})
  const logger = pino({ enabled: false })
  const adapter = await adapterFor(codeHost.kind)
  const api = adapter.open(codeHost, logger, undefined)
  try {
    const env = await api.gitAccess(url)
    const findings = await codeHostChecks(adapter, codeHost, options, { api, env, logger })
    return [...(await checksOfRepository(options, env)), ...findings]
  } catch (error) {
    return [faultOf(api.name, error)]
  }
}

type Env = Readonly<Record<string, string>>

async function checksOfRepository(options: HostOptions, env: Env): Promise<Check[]> {
  const { ref, url, tests } = options
  const { targetBranch } = ref
  const seen = await checked('repository', () => refsOf(url, env))
  const checks = [seen]
  if (seen.isOk) {
    checks.push(await checked(`branch ${targetBranch}`, () => tipOf(url, targetBranch, env)))
    checks.push(await checked('push', () => dryPush(options, env)))
  }
  if (tests.kind === 'command' && checks.every(({ isOk }) => isOk))
    checks.push(...(await notesOnFiles({ ref, url }, tests, env).catch(faultOfFiles)))
  return [...checks, ...checksOfTests(options)]
}

const faultOfFiles = (error: unknown): Check[] => [faultOf('files', error)]

function checksOfTests({ tests }: HostOptions): Check[] {
  if (tests.kind === 'external')
    return [
      ok('tests', 'somebody else tests the branches mergeyard/pr-*, and reports over the API'),
    ]
  if (tests.kind !== 'command')
    return [ok('tests', 'the CI of the host tests the branches mergeyard/pr-*')]
  const setup = tests.setup === null ? [] : [commandCheck('setup command', tests.setup)]
  return [commandCheck('test command', tests.run), ...setup]
}

async function refsOf(url: string, env: Env): Promise<string> {
  const text = await git(['ls-remote', url], { env })
  await refuseShallow({ url })
  const refs = text.split('\n').map((line) => line.split('\t')[1] ?? '')
  const pulls = refs.filter((ref) => /^refs\/pull\/\d+\/head$/.test(ref)).length
  const requests = refs.filter((ref) => ref.startsWith('refs/heads/queue/')).length
  return `can be read: ${several(pulls, 'pull request')}, ${count(requests)} below queue/`
}

/** What is in the branch, and not in the files of a test run: the test command can get it. */
async function notesOnFiles(
  { ref, url }: Pick<HostOptions, 'ref' | 'url'>,
  { run }: CommandTests,
  env: Env,
): Promise<Check[]> {
  return inScratch('doctor', async (folder) => {
    const { at, tip } = await fetched(folder, { url, branch: ref.targetBranch, depth: 1 }, env)
    const listed = (await git([...at, 'ls-tree', '-r', '-z', tip])).split('\0')
    const modules = listed.flatMap((line) => /^160000 .*\t(.*)$/.exec(line)?.[1] ?? [])
    const pointers = ['grep', '-l', 'filter=lfs', tip, '--', '*.gitattributes']
    const hasPointers = (await runGit([...at, ...pointers])).code === 0
    const notes: Check[] = []
    if (modules.length > 0) {
      const names = modules.slice(0, 3).join(', ')
      notes.push(noteOn('submodules', names, ['git submodule update --init', run]))
    }
    if (hasPointers) notes.push(noteOn('large files', 'files of LFS', ['git lfs pull', run]))
    return notes
  })
}

type Fetched = { readonly url: string; readonly branch: string; readonly depth: number }

/** The last commits of a branch, whole: some hosts offer a part of their files and then refuse it. */
async function fetched(
  folder: string,
  { url, branch, depth }: Fetched,
  env: Env,
): Promise<{ readonly at: readonly string[]; readonly tip: string }> {
  const at = ['--git-dir', folder]
  const tip = `refs/heads/${branch}`
  await git(['init', '--quiet', '--bare', folder])
  await git([...at, 'fetch', '--quiet', `--depth=${depth}`, '--', url, `${tip}:${tip}`], { env })
  return { at, tip }
}

function noteOn(what: string, names: string, [fetch, run]: readonly [string, string]): Check {
  const words = run.includes(fetch)
    ? 'the test command fetches them'
    : `test runs do not fetch them; if the tests need them, let them do it: --test "${fetch} && ${run}"`
  return note(what, `${names}: ${words}`)
}

async function tipOf(url: string, branch: string, env: Env): Promise<string> {
  const text = await git(['ls-remote', url, `refs/heads/${branch}`], { env })
  const [commit = ''] = text.split('\t')
  refuseSha256(url, commit)
  if (commit !== '') return `at ${commit}`
  throw new Error('it is missing: create it, or name another with --branch')
}

async function dryPush(options: Pick<HostOptions, 'ref' | 'url'>, env: Env): Promise<string> {
  await refuseUnpushable('doctor', options, env)
  return 'is allowed; a hook that rejects shows only with a real push'
}

function commandCheck(what: string, command: string): Check {
  const program = programOf(command)
  if (program === null || isThere(program)) return ok(what, command)
  return fault(what, `${command}: this machine has no ${program}: install it`)
}

// Checks of a repository on a code host with an API.

async function codeHostChecks(
  adapter: Adapter,
  codeHost: CodeHostOptions,
  { ref, url, tests, set }: HostOptions,
  { api, env, logger }: { readonly api: CodeHostApi; readonly env: Env; readonly logger: Logger },
): Promise<Finding[]> {
  const configuration = configurationWith(settingsOfNew(set))
  const { mergeMethod, requiredStatuses, createPrsForTestingBranches } = configuration
  const { ciFiles, commits } = await seenOn(url, ref.targetBranch, { env, paths: adapter.ciPaths })
  const isCiTested = tests.kind === 'host'
  const looked = isCiTested ? commits.map((commit) => api.checks(commit, ref.targetBranch)) : []
  const seen = await Promise.all(looked)
  const asked = {
    branch: ref.targetBranch,
    method: mergeMethod,
    requiredStatuses,
    isCiTested,
    ciFiles,
    createsPulls: createPrsForTestingBranches,
    otherCi: otherCiIn(seen),
  }
  return [
    ...(await adapter.findings(codeHost, logger, asked)),
    ...(asked.isCiTested ? await seenFindings(api, asked, seen) : []),
    ...(await requestFindings(api, asked)),
    submittingFinding(waysToSubmit(configuration)),
  ]
}

/** What people do on the host to submit. */
function submittingFinding(ways: readonly string[]): Finding {
  return ways.length === 0
    ? note('submitting', 'over the API only: labels and comments are switched off')
    : ok('submitting', `by ${ways.join(' or ')}, from who may write`)
}

/** So many of the last commits of a branch are looked at. */
const lastCommits = 3

/** The texts of the YAML files on a branch that are or are below one of the paths, and its last commits. */
async function seenOn(
  url: string,
  branch: string,
  { env, paths }: { readonly env: Env; readonly paths: readonly string[] },
): Promise<{ readonly ciFiles: string[]; readonly commits: string[] }> {
  return inScratch('doctor', async (folder) => {
    const { at, tip } = await fetched(folder, { url, branch, depth: lastCommits }, env)
    const listed = await git([...at, 'ls-tree', '-r', '-z', '--name-only', tip, ...paths])
    const files = listed.split('\0').filter((path) => /\.ya?ml$/.test(path))
    const ciFiles = await Promise.all(files.map((path) => git([...at, 'show', `${tip}:${path}`])))
    const log = ['log', `-${lastCommits}`, '--first-parent', '--format=%H', tip]
    const commits = (await git([...at, ...log])).split('\n').filter((oid) => oid !== '')
    return { ciFiles, commits }
  })
}

// What queues need of this machine.

/** As `engines` in package.json says. */
export const leastNode = [20, 19] as const
const bytesPerGiB = 1 << 30

async function checksOfMachine(hosting: readonly HostOptions[], data: string): Promise<Check[]> {
  const tests = hosting.flatMap((each) => (each.tests.kind === 'command' ? [each.tests] : []))
  const commands = tests.flatMap(({ run, setup }) => [run, setup ?? ''])
  return [
    await checked('node', () => nodeVersion(process.version)),
    await checked('git', gitVersion),
    ...(commands.some(usesNpm) ? [await checked('npm', npmVersion)] : []),
    ...(tests.length > 0 ? [bubblewrapNote(exposureOf(hosting))] : []),
    await checked('disk', () => freeDisk(data)),
  ]
}

/** Throws for an older one than is supported. */
export function nodeVersion(version: string): string {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
  if (isOld) throw new Error(`${version}, at least ${leastNode.join('.')} is needed: update Node`)
  return version
}

async function gitVersion(): Promise<string> {
  await refuseOldGit()
  return (await git(['--version'])).trim()
}

/** True if a command calls npm or npx, also after others. */
export function usesNpm(command: string): boolean {
  return /(?:^|[\s;&|(])np[mx](?:\s|$)/.test(command)
}

function npmVersion(): string {
  if (!isThere('npm')) throw new Error('this machine has no npm: install it')
  return execFileSync('npm', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** Runs are tested without it too, so it is never a fault. */
export function bubblewrapNote(exposed: string | null): Check {
  const works = 'works: tests see no secret of the server, and nothing of them is left'
  return note('bubblewrap', exposed ?? works)
}

/** Where the data folder is, or where it will be made. */
export function freeDisk(data: string): string {
  const folder = existing(resolve(data))
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const words = `${Math.floor(free / bytesPerGiB)} GiB free at ${folder}`
  if (!isNearlyFull(folder)) return words
  throw new Error(`${words}, at least 1 GiB and 1 % of the inodes are needed: remove files`)
}
