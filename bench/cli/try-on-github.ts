/** `mergeyard try --github owner/scratch`. */

import { join } from 'node:path'
import { pino } from 'pino'
import type { Event, PullRequestView } from '../../engine/index.ts'
import { queueOn } from '../../server/cli/code-hosts.ts'
import type { CodeHostPorts } from '../../server/code-host/api-code-host.ts'
import { git } from '../../server/git/git.ts'
import { GitHubClient } from '../../server/github/client.ts'
import { githubApi } from '../../server/github/github-api.ts'
import type { HostOptions } from '../../server/hosting/options.ts'
import { nameOfQueue } from '../../server/identity/queue-ref.ts'
import { startFolder, exitCodes, type CliContext } from '../../server/terminal/command.ts'
import { inScratch } from '../../server/terminal/files.ts'
import { writeText } from '../../server/terminal/output.ts'
import { columns } from '../../server/terminal/text.ts'
import { queueOf, startQuietly, untilOver } from '../rehearsal/play.ts'
import { type File, commitOf, personAt } from '../rehearsal/repository.ts'

const longestMs = 30 * 60_000
/** Nobody wants to watch nothing for half a minute. */
const pollMs = 5_000

type Ports = {
  /** What happens in the queue, as lines for a person who watches. */
  readonly linesOf: (events: readonly Event[], ms: number) => string
  readonly codeHost?: CodeHostPorts
}

type Asked = Pick<TryOptions, 'mergeMethod' | 'isKept'> & { readonly repo: string }

export async function tryOnGitHub(
  { repo, ...asked }: Asked,
  { stdout, env }: CliContext,
  { linesOf, codeHost = {} }: Ports,
): Promise<number> {
  const begun = Date.now()
  const branch = `mergeyard-try-${Math.floor(begun / 1_000)}`
  const place = queueOn('github', repo, { folder: startFolder(env), env })
  const host = { ...place, ref: { ...place.ref, targetBranch: branch }, pollMs }
  await writeText(
    stdout,
    `Four pull requests in ${repo}, for a branch of their own. This was proven on a fake GitHub only: if it goes otherwise here, please report it with this output.\n\n`,
  )
  const ports: TryPorts = {
    codeHost,
    write: (line) => void stdout.write(line),
    onEvents: (events) => void writeText(stdout, linesOf(events, Date.now() - begun)),
  }
  const results = await inScratch('try', (folder) =>
    playOnGitHub({ ...asked, data: join(folder, 'data'), host }, ports),
  )
  const rows = results.map(({ what, isOk, words }) => [isOk ? 'ok' : 'FAULT', what, words])
  await writeText(stdout, `\n${columns(rows)}`)
  return results.every(({ isOk }) => isOk) ? exitCodes.success : exitCodes.failure
}

// Plays `try --github`: a real server merges the pull requests of a scratch repository on GitHub.

type TryOptions = {
  /** The folder of the server. */
  readonly data: string
  readonly host: Omit<HostOptions, 'set'>
  readonly mergeMethod: 'merge_commit' | 'squash' | 'rebase'
  readonly isKept: boolean
}

type TryPorts = {
  readonly codeHost: CodeHostPorts
  readonly write: (line: string) => void
  readonly onEvents: (events: readonly Event[]) => void
}

type Result = { readonly what: string; readonly isOk: boolean; readonly words: string }

const label = 'merge-queue'

/** Returns what came true, and what did not. Rejects if GitHub cannot be worked on. */
async function playOnGitHub(options: TryOptions, ports: TryPorts): Promise<Result[]> {
  const { host, isKept } = options
  if (host.codeHost?.kind !== 'github') throw new Error('the repository is not on GitHub')
  const client = new GitHubClient(host.codeHost, pino({ enabled: false }), ports.codeHost.pace)
  const scratch = { url: host.url, branch: host.ref.targetBranch }
  await pushBranches(client, scratch)
  try {
    const numbers = await openPulls(client, scratch)
    ports.write(`opened ${numbers.map((number) => `#${number}`).join(' ')} for ${scratch.branch}\n`)
    const pullRequests = await merged(options, ports, { client, numbers })
    return await judged(client, numbers, pullRequests)
  } finally {
    if (!isKept) await removeBranches(client, scratch)
  }
}

type Opened = { readonly client: GitHubClient; readonly numbers: readonly number[] }

/** Labels all of them, and waits until the queue has dealt with each. */
async function merged(
  { data, host, mergeMethod }: TryOptions,
  { codeHost, onEvents }: TryPorts,
  { client, numbers }: Opened,
): Promise<PullRequestView[]> {
  const set = {
    batch: true,
    batchingMinSize: 2,
    batchingMaxWaitTimeMinutes: 0,
    concurrency: 2,
    mergeMethod,
    requiredStatuses: ['ci'],
    createPrsForTestingBranches: false,
    labelCommandsEnabled: true,
    enqueueingLabel: label,
  }
  const server = await startQuietly(data, { ...host, set }, { codeHost })
  const queue = { server, name: nameOfQueue(host.ref) }
  server.manager.subscribe(({ events }) => onEvents(events))
  try {
    for (const number of numbers) await githubApi(client).addLabel(number, label)
    await untilOver(queue, numbers.length, longestMs)
    return Object.values(queueOf(queue).pullRequests)
  } finally {
    await server.stop()
  }
}

/** Compares the queue and GitHub with what was promised. */
async function judged(
  client: GitHubClient,
  numbers: readonly number[],
  pullRequests: readonly PullRequestView[],
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, number] of numbers.entries()) {
    const { name = '', ends = 'MERGED' } = changes[index] ?? {}
    const state = pullRequests.find((each) => each.number === number)?.state ?? 'unknown'
    const shown = (await githubApi(client).pull(number))?.state ?? 'missing'
    const isShown = shown === (ends === 'MERGED' ? 'merged' : 'open')
    const words = `${state} in the queue, ${shown} on GitHub`
    results.push({ what: `#${number} ${name}`, isOk: state === ends && isShown, words })
  }
  return results
}

// The pull requests of `try --github`: a target branch of their own, which nothing else has to do with.

const workflow = `name: ci
on:
  push:
    branches: ["mergeyard/**"]
jobs:
  ci:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: test ! -d broken
`

const start: readonly File[] = [
  { path: '.github/workflows/mergeyard-try.yml', text: workflow },
  { path: 'line.txt', text: 'old\n' },
]

type Change = {
  readonly name: string
  readonly file: File
  /** How it must end. */
  readonly ends: 'MERGED' | 'FAILED'
}

/** Two that merge, one whose test fails, and one that conflicts with the first. */
const changes: readonly Change[] = [
  { name: 'first', file: { path: 'line.txt', text: 'first\n' }, ends: 'MERGED' },
  { name: 'second', file: { path: 'second.txt', text: 'second\n' }, ends: 'MERGED' },
  { name: 'broken', file: { path: 'broken/yes.txt', text: 'yes\n' }, ends: 'FAILED' },
  { name: 'conflicting', file: { path: 'line.txt', text: 'other\n' }, ends: 'FAILED' },
]

type Scratch = {
  readonly url: string
  /** The target branch. */
  readonly branch: string
}

async function pushBranches(client: GitHubClient, { url, branch }: Scratch): Promise<void> {
  await inScratch('try', async (folder) => {
    await git(['init', '--quiet', '--bare', folder])
    const who = personAt('Mergeyard <mergeyard@localhost>', Date.now())
    const target = `refs/heads/${branch}`
    const input = [
      commitOf(target, `Change ${branch}`, { who, from: null, files: start }),
      ...changes.map(({ name, file }) => {
        const ref = `${target}-${name}`
        return commitOf(ref, `Change ${branch}-${name}`, { who, from: target, files: [file] })
      }),
    ].join('')
    await git(['--git-dir', folder, 'fast-import', '--quiet'], { input })
    const env = await client.gitAccess(url)
    await git(['--git-dir', folder, 'push', '--quiet', url, 'refs/heads/*:refs/heads/*'], { env })
  })
}

/** Opens a pull request for each change, and returns their numbers in order. */
async function openPulls(client: GitHubClient, { branch }: Scratch): Promise<number[]> {
  const numbers: number[] = []
  for (const { name } of changes) {
    const { data: pull } = await client.ask('POST /repos/{owner}/{repo}/pulls', {
      title: `Mergeyard try: ${name}`,
      body: 'Made by `mergeyard try`, which also closes it.',
      head: `${branch}-${name}`,
      base: branch,
    })
    numbers.push(pull.number)
  }
  return numbers
}

/** Removes every branch that was pushed; GitHub then closes what is still open. */
async function removeBranches(client: GitHubClient, { url, branch }: Scratch): Promise<void> {
  const env = await client.gitAccess(url)
  const names = [branch, ...changes.map(({ name }) => `${branch}-${name}`)]
  await inScratch('try', async (folder) => {
    await git(['init', '--quiet', '--bare', folder])
    const refs = names.map((name) => `:refs/heads/${name}`)
    await git(['--git-dir', folder, 'push', '--quiet', url, ...refs], { env })
  })
}
