/** Workflow runs by period and by commit, and their earlier attempts. */

import { fileKinds } from '../../../../../sim/import/github/layout.ts'
import type { WorkflowRun } from '../../../../../sim/import/github/records.ts'
import { count } from '../../../../../sim/terminal/text.ts'
import type { Parameters } from './history-api.ts'
import { trimmed, type Download } from './parts.ts'
import type { RunQuery, WantedRuns } from './wanted-runs.ts'

const path = '/repos/{owner}/{repo}/actions/runs'
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
    const file = `runs/${sha}.json`
    if (!parts.folder.has(file)) parts.folder.write(file, await listed(parts, { head_sha: sha }))
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
  most = Infinity,
): Promise<readonly WorkflowRun[] | null> {
  const runs: WorkflowRun[] = []
  for await (const { items, total } of api.pages(path, query, field)) {
    if (total > most) return null
    runs.push(...items.map((item) => trimmed('workflowRun', item)))
  }
  return runs
}

/** The list has only the last attempt of a run. */
async function attempts({ api, folder, show }: Download): Promise<void> {
  const repeated = folder.read().runs.flatMap((run) => {
    const earlier = Math.max(0, (run.run_attempt ?? 1) - 1)
    return Array.from({ length: earlier }, (_, index) => ({ id: run.id, attempt: index + 1 }))
  })
  for (const [index, { id, attempt }] of repeated.entries()) {
    const file = `attempts/${id}-${attempt}.json`
    if (!folder.has(file)) {
      folder.write(file, trimmed('workflowRun', await api.get(`${path}/${id}/attempts/${attempt}`)))
    }
    show(`repeated runs: ${count(index + 1)} of ${count(repeated.length)}`)
  }
}

const instantOf = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`
