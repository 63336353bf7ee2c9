/**
 * Runs git as a program, in an environment of its own: no settings of the user or the machine, no hooks
 * of the mirror, no questions, no locale. So a composition is the same commit wherever it is made.
 */

import { spawn } from 'node:child_process'
import { helpfulMessage } from '../terminal/files.ts'
import { withoutCredentials } from '../terminal/text.ts'
import { accessIn } from './credentials.ts'

/** The id of a commit: 40 hexadecimal digits. */
export type Oid = string

export type GitOptions = {
  /** Written to its standard input. */
  readonly input?: string
  /** More variables, for example the author of a commit. */
  readonly env?: Readonly<Record<string, string>>
  /** It is killed after this time. */
  readonly timeoutMs?: number
  /** It is killed when this aborts. */
  readonly signal?: AbortSignal | undefined
}

export type GitResult = {
  /** Null: it was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Git failed for a reason that says nothing about a pull request. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed'
}

export const defaultTimeoutMs = 120_000
const largestErrorLength = 500

/** Settings that must depend neither on the machine nor on what a test could write. */
const fixedSettings = [
  // As git was before version 3: what it makes is for repositories that name commits by SHA-1, and is bare.
  'init.defaultObjectFormat=sha1',
  'init.defaultRefFormat=files',
  'safe.bareRepository=all',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  'core.quotePath=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'merge.conflictStyle=merge',
  'merge.renames=true',
  'merge.directoryRenames=false',
  'protocol.version=2',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting])

/** The variables that git gets from this process, also in small letters: how to reach other machines, and nothing else. */
const passedOn: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'SSH_AUTH_SOCK',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'GIT_SSL_CERT',
  'GIT_SSL_KEY',
])

/** For a command that needs no repository: git reads the settings of none. */
export const noRepository = ['--git-dir', '/dev/null'] as const

/** Runs git and returns how it ended. Rejects with `GitFailed` if there is no git, or it takes too long. */
export function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { input = '', timeoutMs = defaultTimeoutMs, signal } = options
  const { env, ...given } = accessIn(args, options.env ?? {})
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...fixedSettings, ...given.args], {
      env: { ...environment(), ...env },
      // A folder without a repository: git would read the settings of one that it finds.
      cwd: '/',
      // A pipe that carries nothing is only work.
      stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own, so that its helpers end with it.
      detached: true,
    })
    const output: Buffer[] = []
    const errors: Buffer[] = []
    const end = (why: string): void => {
      signalGroup(child.pid, 'SIGKILL')
      reject(new GitFailed(`${nameOf(args)} ${why}`))
    }
    const timer = setTimeout(() => end(`took longer than ${timeoutMs / 1_000} s`), timeoutMs)
    const stop = (): void => end('was stopped, because the server stops')
    signal?.addEventListener('abort', stop)
    if (signal?.aborted === true) stop()
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
    // It may end before it has read everything.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new GitFailed(`git cannot be started: ${helpfulMessage(error)}`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      const stdout = Buffer.concat(output).toString()
      resolve({ code, stdout, stderr: Buffer.concat(errors).toString() })
    })
  })
}

/** Sends a signal to a group of processes, if there is one still: what has left it can hold the output of the others. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone already.
  }
}

/** Runs git, and returns what it printed. Rejects with `GitFailed` if it did not succeed. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const result = await runGit(args, options)
  if (result.code === 0) return result.stdout
  throw failure(args, result)
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** A bare copy of a repository, and how git reaches that. */
export type Copy = {
  readonly folder: string
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** Aborts when nothing is to wait for the repository any more. */
  readonly signal?: AbortSignal
}

/** The refs of the repository, with their commits: one round trip. */
export async function refsOf(
  { url, env, signal }: Omit<Copy, 'folder'>,
  options: readonly string[],
  patterns: readonly string[] = [],
): Promise<ReadonlyMap<string, Oid>> {
  const text = await git([...noRepository, 'ls-remote', ...options, url, ...patterns], {
    env,
    signal,
  })
  return new Map(
    linesOf(text).map((line) => {
      const [oid = '', ref = ''] = line.split('\t')
      return [ref, oid]
    }),
  )
}

/** The branch that HEAD is in the answer to `ls-remote --symref`; null: it names none. */
export function headIn(listed: string): string | null {
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1] ?? null
}

/** The arguments that fetch refs or commits into a copy, and do nothing else there. */
export function fetching({ folder, url }: Omit<Copy, 'env'>, ...wanted: readonly string[]) {
  const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  return ['--git-dir', folder, 'fetch', ...quietly, url, ...wanted]
}

/** The error of a command that has failed, without credentials. */
export function failure(args: readonly string[], { code, stderr }: GitResult): GitFailed {
  const all = withoutCredentials(helpfulWords(stderr) ?? stderr.trim())
  // The reason can stand behind a name of thousands of characters.
  const words =
    all.length <= largestErrorLength
      ? all
      : `${all.slice(0, largestErrorLength / 2)} ... ${all.slice(-largestErrorLength / 2)}`
  if (code !== null) return new GitFailed(`${nameOf(args)} failed (${code}): ${words}`)
  const said = words === '' ? '' : `: ${words}`
  return new GitFailed(
    `${nameOf(args)} was killed, by a system without memory or by somebody${said}`,
  )
}

/** What git advises against these is a setting of the user, and those have no effect here. */
const mended: readonly (readonly [said: RegExp, words: (where: string) => string])[] = [
  [
    /detected dubious ownership in repository at '(.*)'/,
    (path) =>
      `${path} belongs to another user, and git does not work on it: run this as that user, or change its owner`,
  ],
  [
    /could not fetch ([0-9a-f]+) from promisor remote/,
    (oid) =>
      `the repository lacks ${oid}, as a partial clone does: name the repository that it is cloned from, or fetch the rest with \`git fetch --refetch --no-filter\` there`,
  ],
  [
    /could not read (?:Username|Password) for '(.*)'/,
    (address) =>
      `${address} asks who this is: put user and token into the address or into ~/.netrc, or use SSH; helpers of git have no effect`,
  ],
  [
    /unable to access '(.*)': (?:SSL certificate problem|server certificate verification failed)/,
    (address) =>
      `the certificate of ${address} has expired or is not from a known authority: name yours in GIT_SSL_CAINFO, and for the API of a host in NODE_EXTRA_CA_CERTS`,
  ],
]

/** Our words for what git says there; null: its own say it. */
export function helpfulWords(stderr: string): string | null {
  for (const [said, words] of mended) {
    const where = said.exec(stderr)?.[1]
    if (where !== undefined) return words(where)
  }
  return null
}

const least = [2, 38] as const

let checking: Promise<void> | null = null

/** Throws for people if there is no git, or one that cannot merge without a work tree. Asks once in a process. */
export function refuseOldGit(): Promise<void> {
  checking ??= checkVersion().catch((error: unknown) => {
    checking = null
    throw error
  })
  return checking
}

async function checkVersion(): Promise<void> {
  const text = await git(['--version'])
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? []
  const isNewEnough =
    Number(major) > least[0] || (Number(major) === least[0] && Number(minor) >= least[1])
  if (isNewEnough) return
  throw new GitFailed(`git ${least.join('.')} or newer is needed, this is ${text.trim()}`)
}

function environment(): NodeJS.ProcessEnv {
  const all = Object.entries(process.env)
  return {
    ...Object.fromEntries(all.filter(([name]) => passedOn.has(name.toUpperCase()))),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    TZ: 'UTC',
  }
}

/** The name of the command: it comes after the folders. */
function nameOf(args: readonly string[]): string {
  let at = 0
  while (['--git-dir', '--work-tree', '-C'].includes(args[at] ?? '')) at += 2
  return `git ${args[at] ?? ''}`
}
