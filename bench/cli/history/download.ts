/** `--github`: downloads a history, and says what it does. */

import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HistoryFolder, type RunQuery, type WantedRuns, wantedRuns, type Wanted } from './folder.ts'
import { HistoryApi, type Parameters, valueOf } from './api.ts'
import { CodeHostFailed, isForbidden, isMissing } from '../../../server/code-host/rest.ts'
import type { GitHubOptions } from '../../../server/hosting/options.ts'
import { type FileKind, fileKinds } from '../../../sim/import/github/read-folder.ts'
import {
  type GitHubRecords,
  type Pull,
  type WorkflowRun,
  type Items,
  type SchemaName,
  trim,
} from '../../../sim/import/github/records.ts'
import { testedIn } from '../../../sim/import/github/tested.ts'
import type { DownloadHistory } from '../../../sim/cli/import.ts'
import { BadInput, shown } from '../../../server/terminal/bad-input.ts'
import {
  exitCodes,
  Interrupted,
  startFolder,
  type CliContext,
} from '../../../server/terminal/command.ts'
import { isTerminalStream } from '../../../server/terminal/output.ts'
import { count, several, oneLine, own } from '../../../server/terminal/text.ts'

/** The variables that GitHub's own tools read as well. */
const tokenVariable = 'GITHUB_TOKEN'
const apiVariable = 'GITHUB_API_URL'

/** Throws `BadInput` for options and folders that cannot be used. */
export const downloadHistory: DownloadHistory = async (options, context) => {
  const { repository, branch, last, queueLabel, save } = options
  const github = githubOf(repository, context.env)
  const path = resolve(startFolder(context.env), save)
  const wanted = { repository, branch, last }
  const folder = new HistoryFolder(path, save, { ...wanted, now: new Date().toISOString() })
  const line = lineOn(context)
  const wait = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: context.signal }).catch(() => {
      throw new Interrupted()
    })
  const { signal } = context
  const api = new HistoryApi(github, { wait, tell: line.tell, signal, now: Date.now })
  const again = `the same command goes on with ${save}`
  try {
    await download({ api, folder, wanted, queueLabel, show: line.show })
    line.tell(`${save} is complete after ${several(api.requests, 'request')}`)
    return null
  } catch (error) {
    if (error instanceof Interrupted) throw new Interrupted(`interrupted; ${again}`)
    if (!(error instanceof CodeHostFailed)) throw error
    line.tell(`mergeyard: ${error.message}; ${adviceFor(error.status, repository)}; ${again}`)
    return exitCodes.failure
  } finally {
    line.clear()
  }
}

function githubOf(repository: string, env: NodeJS.ProcessEnv): GitHubOptions {
  const [, owner, name] = /^([\w-]+)\/([\w.-]+)$/.exec(repository) ?? []
  if (owner === undefined || name === undefined) {
    const expected = 'a repository like acme/shop'
    throw new BadInput('github', [{ where: '--github', expected, actual: shown(repository) }])
  }
  const token = env[tokenVariable] ?? ''
  if (token === '') {
    const expected = 'a token that may read the repository, in this variable'
    throw new BadInput('github', [{ where: tokenVariable, expected, actual: 'nothing' }])
  }
  const api = env[apiVariable] ?? 'https://api.github.com'
  const auth = { kind: 'token', token: () => token } as const
  return { kind: 'github', owner, name, api, auth, webhookSecrets: [] }
}

function adviceFor(status: number, repository: string): string {
  if (status === 401) return `GitHub does not know the token in ${tokenVariable}`
  if (status === 404) return `there is no ${repository}, or the token may not see it`
  if (status === 403) {
    return 'the token needs to read Contents, Pull requests, Actions, Checks and Commit statuses'
  }
  return 'try again later'
}

/** What is done now in one line of a terminal, and what must be told anywhere. */
function lineOn({ stderr }: CliContext) {
  const isTerminal = isTerminalStream(stderr)
  const emptyLine = own('[G') + own('[2K')
  const clear = (): void => void (isTerminal && stderr.write(emptyLine))
  return {
    clear,
    show: (words: string): void => void (isTerminal && stderr.write(emptyLine + oneLine(words))),
    tell: (words: string): void => {
      clear()
      stderr.write(`${words}\n`)
    },
  }
}

// Downloads what a history needs, file by file. What is there already is not asked for again.

const repo = '/repos/{owner}/{repo}'

/** Completes the folder. Rejects with `CodeHostFailed`, or with `Interrupted`; then it can go on. */
async function download(parts: Download): Promise<void> {
  const { api, folder, wanted, queueLabel } = parts
  if (folder.isComplete) return
  await once(parts, 'repo.json', async () => trimmed('repository', await api.get(repo)))
  await once(parts, 'pulls.json', () => {
    const branch =
      wanted.branch ?? trimmed('repository', folder.readOne('repo.json')).default_branch
    return lastPulls(parts, branch)
  })
  const { pulls } = folder.read()
  await once(parts, 'rules.json', () => rules(parts, pulls[0]?.base.ref ?? 'main'))
  await each(parts, 'timelines', pulls, ({ number }) =>
    listOnce(parts, fileKinds.timeline, String(number), `${repo}/issues/${number}/timeline`),
  )
  await each(parts, 'changed files', pulls, ({ number }) =>
    listOnce(parts, fileKinds.files, String(number), `${repo}/pulls/${number}/files`),
  )
  await downloadRuns(parts, wantedRuns(folder.read(), queueLabel))
  await checksOf(parts, folder.read())
  folder.finish()
}

/** A repository without rules, or one whose plan has none, answers that there is no such thing. */
async function rules(parts: Download, branch: string): Promise<unknown[]> {
  try {
    return await list(
      parts,
      fileKinds.rules,
      `${repo}/rules/branches/${encodeURIComponent(branch)}`,
    )
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return []
    throw error
  }
}

/** Checks and statuses of what no workflow has tested: the commit of the queue, else the head. */
async function checksOf(parts: Download, records: GitHubRecords): Promise<void> {
  // Without the checks that an earlier part of this download has found.
  const known = testedIn({ ...records, checks: [], statuses: new Map() })
  const tested = new Set(known.map(({ sha }) => sha))
  const numbers = new Set(known.flatMap((one) => one.numbers))
  const others = records.pulls.filter(
    ({ number, head }) => !numbers.has(number) && !tested.has(head.sha),
  )
  await each(parts, 'checks', others, async ({ number, head, merge_commit_sha: merged }) => {
    const items = records.timelines.get(number) ?? []
    const isQueued = items.some(({ event }) => event === 'added_to_merge_queue')
    const sha = isQueued && merged !== null ? merged : head.sha
    const at = `${repo}/commits/${sha}`
    await listOnce(parts, fileKinds['check-runs'], sha, `${at}/check-runs`, { filter: 'all' })
    await listOnce(parts, fileKinds.statuses, sha, `${at}/statuses`)
  })
}

async function each(
  { show, api }: Download,
  what: string,
  pulls: readonly Pull[],
  act: (pull: Pull) => Promise<unknown>,
): Promise<void> {
  for (const [index, pull] of pulls.entries()) {
    await act(pull)
    const left =
      api.remaining === null ? '' : `, ${count(api.remaining)} requests left in this hour`
    show(`${what}: ${count(index + 1)} of ${count(pulls.length)}${left}`)
  }
}

async function listOnce<Name extends SchemaName>(
  parts: Download,
  kind: FileKind<Name>,
  ...[key, path, parameters]: readonly [key: string, path: string, parameters?: Parameters]
): Promise<void> {
  const file = `${kind.name}/${key}.json`
  await once(parts, file, () => list(parts, kind, path, parameters))
}

/** All items of a list, without what is not read. */
async function list<Name extends SchemaName>(
  { api }: Download,
  kind: FileKind<Name>,
  path: string,
  parameters: Parameters = {},
): Promise<Items[Name][]> {
  const all: Items[Name][] = []
  for await (const { items } of api.pages(path, parameters, kind.list?.field ?? null)) {
    all.push(...items.map((item) => trimmed(kind.schema, item)))
  }
  return all
}

async function once(
  { folder }: Download,
  file: string,
  make: () => Promise<unknown>,
): Promise<void> {
  if (!folder.has(file)) folder.write(file, await make())
}

// The pull requests that ended last.

/**
 * Returns as many closed pull requests as are wanted, those that ended last. GitHub lists them by their last
 * change, which is never before their end: when that of a page is older than the end of all that are
 * wanted, no other can have ended later.
 */
export async function lastPulls({ api, wanted, show }: Download, branch: string): Promise<Pull[]> {
  const order = { state: 'closed', base: branch, sort: 'updated', direction: 'desc' }
  let pulls: Pull[] = []
  for await (const { items } of api.pages(`${repo}/pulls`, order, null)) {
    const oldest = Date.parse(String(valueOf(items.at(-1), 'updated_at')))
    const found = items.map((item) => trimmed('pull', item))
    pulls = [...new Map([...pulls, ...found].map((pull) => [pull.number, pull])).values()]
      .toSorted((a, b) => endOf(b) - endOf(a))
      .slice(0, wanted.last)
    show(`pull requests: ${count(pulls.length)}`)
    const last = pulls.at(-1)
    if (last && pulls.length >= wanted.last && endOf(last) >= oldest) break
  }
  return pulls
}

const endOf = (pull: Pull): number =>
  Date.parse(pull.merged_at ?? pull.closed_at ?? pull.created_at)

// Workflow runs by period and by commit, and their earlier attempts.

const path = `${repo}/actions/runs`
const field = fileKinds.runs.list.field

/** GitHub lists no more runs than these for one question. */
const mostListed = 1_000

const dayMs = 86_400_000
const longestMs = 7 * dayMs
const shortestMs = 60_000

export async function downloadRuns(parts: Download, wanted: WantedRuns): Promise<void> {
  for (const query of wanted.queries) {
    // From midnight, so that a download that goes on finds its files.
    const startMs = Math.floor(query.fromMs / dayMs) * dayMs
    const untilMs = Math.min(query.toMs, Date.parse(parts.folder.until))
    for (let fromMs = startMs; fromMs < untilMs; fromMs += longestMs) {
      await period(parts, query, { fromMs, toMs: Math.min(fromMs + longestMs, untilMs) })
    }
  }
  for (const [index, sha] of wanted.commits.entries()) {
    await listOnce(parts, fileKinds.runs, sha, path, { head_sha: sha })
    parts.show(`runs of commits: ${count(index + 1)} of ${count(wanted.commits.length)}`)
  }
  await attempts(parts)
}

type Period = { readonly fromMs: number; readonly toMs: number }

/** A period with too many runs is asked for in two halves. */
async function period(parts: Download, query: RunQuery, { fromMs, toMs }: Period): Promise<void> {
  const [from, to] = [instantOf(fromMs), instantOf(toMs)]
  const name = `${query.name}-${from}-${to}`.replaceAll(/[^\w-]/g, '_')
  const file = `runs/${name}.json`
  if (parts.folder.has(file)) return
  const branch = query.branch === null ? {} : { branch: query.branch }
  const isShortest = toMs - fromMs <= shortestMs
  const most = isShortest ? Infinity : mostListed
  const asked = { event: query.event, ...branch, created: `${from}..${to}` }
  const found = await listed(parts, asked, most)
  parts.show(`runs by ${query.event}: until ${to.slice(0, 10)}`)
  if (found) {
    parts.folder.write(file, found)
    return
  }
  const middle = fromMs + Math.floor((toMs - fromMs) / 2_000) * 1_000
  await period(parts, query, { fromMs, toMs: middle })
  await period(parts, query, { fromMs: middle, toMs })
}

/** Null if there are more than `most`. */
async function listed(
  { api }: Download,
  query: Parameters,
  most: number,
): Promise<readonly WorkflowRun[] | null> {
  const runs: WorkflowRun[] = []
  for await (const { items, total } of api.pages(path, query, field)) {
    if (total > most) return null
    runs.push(...items.map((item) => trimmed('workflowRun', item)))
  }
  return runs
}

/** The list has only the last attempt of a run. */
async function attempts(parts: Download): Promise<void> {
  const repeated = parts.folder.read().runs.flatMap((run) => {
    const earlier = Math.max(0, (run.run_attempt ?? 1) - 1)
    return Array.from({ length: earlier }, (_, index) => ({ id: run.id, attempt: index + 1 }))
  })
  for (const [index, { id, attempt }] of repeated.entries()) {
    await once(parts, `attempts/${id}-${attempt}.json`, async () =>
      trimmed('workflowRun', await parts.api.get(`${path}/${id}/attempts/${attempt}`)),
    )
    parts.show(`repeated runs: ${count(index + 1)} of ${count(repeated.length)}`)
  }
}

const instantOf = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`

// What the steps of a download share.

export type Download = {
  readonly api: HistoryApi
  readonly folder: HistoryFolder
  readonly wanted: Wanted
  /** The label of the team that submits pull requests, if it has one. */
  readonly queueLabel: string | null
  /** Says what is downloaded now, and how much of it is done. */
  readonly show: (words: string) => void
}

/** What is read of an object of GitHub's. Throws `BadInput` if it is none. */
function trimmed<Name extends SchemaName>(schema: Name, value: unknown): Items[Name] {
  if (trim(schema, value)) return value
  const expected = `an object as GitHub's API describes it (${schema})`
  throw new BadInput('GitHub', [{ where: '', expected, actual: shown(value) }])
}
