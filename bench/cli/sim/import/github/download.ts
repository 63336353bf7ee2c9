/** Downloads what a history needs, file by file. What is there already is not asked for again. */

import { isForbidden, isMissing } from '../../../../../server/forge/failed.ts'
import { type FileKind, fileKinds } from '../../../../../sim/import/github/layout.ts'
import type { GitHubRecords, Pull } from '../../../../../sim/import/github/records.ts'
import type { Items, SchemaName } from '../../../../../sim/import/github/schemas.ts'
import { testedIn } from '../../../../../sim/import/github/tested.ts'
import { count } from '../../../../../sim/terminal/text.ts'
import { type Parameters, valueOf } from './history-api.ts'
import { type Download, trimmed } from './parts.ts'
import { downloadRuns } from './runs.ts'
import { wantedRuns } from './wanted-runs.ts'

const repo = '/repos/{owner}/{repo}'

/** Completes the folder. Rejects with `ForgeFailed`, or with `Interrupted`; then it can go on. */
export async function download(parts: Download): Promise<void> {
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
  for await (const { items } of api.pages('/repos/{owner}/{repo}/pulls', order, null)) {
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
