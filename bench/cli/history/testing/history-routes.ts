/** What the fake of GitHub answers about a history: by default what is recorded. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notFound } from '../../../../server/code-host/testing/call.ts'
import type { Answer, Call, Route } from '../../../../server/code-host/testing/call.ts'
import { isRecord } from '../../../../server/code-host/testing/published.ts'
import { shopFolder } from '../../../../sim/import/testing/github-story.ts'

const repo = '/repos/{owner}/{repo}'

type Fields = Readonly<Record<string, unknown>>

/** The bodies of answers, by the file of a history's folder. */
type Answers = Readonly<Record<string, unknown>>

export const recorded: Answers = Object.fromEntries(
  readdirSync(shopFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const body: unknown = JSON.parse(readFileSync(join(shopFolder, name), 'utf8'))
      return [name.replace('.json', ''), body]
    }),
)

/** Those of these pull requests only. */
export function recordedOf(...numbers: readonly number[]): Answers {
  const pulls = listIn(recorded['pulls']).filter(({ number }) => numbers.includes(Number(number)))
  return { ...recorded, pulls }
}

const listIn = (body: unknown): Fields[] => (Array.isArray(body) ? body.filter(isRecord) : [])

/** The routes that a download asks. A list that the history does not have is empty. */
export function historyRoutes(answers: Answers = recorded): Record<string, Route> {
  const one = (file: string): Answer => {
    const body = answers[file]
    return body === undefined ? notFound : { status: 200, body }
  }
  const all = (file: string, field: string | null): Fields[] => {
    const body = answers[file]
    return listIn(field !== null && isRecord(body) ? body[field] : body)
  }
  const list = (items: readonly Fields[], field: string | null = null): Answer => {
    if (field === null) return { status: 200, items }
    return { status: 200, items, wrap: (page, total) => ({ total_count: total, [field]: page }) }
  }
  return {
    'GET /rate_limit': () => ({ status: 200, body: rateLimit(5_000, 0) }),
    [`GET ${repo}`]: () => one('repo'),
    [`GET ${repo}/rules/branches/{branch}`]: () => list(all('rules', null)),
    [`GET ${repo}/pulls`]: (_, call) => list(pullsFor(all('pulls', null), call)),
    [`GET ${repo}/issues/{issue_number}/timeline`]: (_, call) =>
      list(all(`timeline/${call.path['issue_number'] ?? ''}`, null)),
    [`GET ${repo}/pulls/{pull_number}/files`]: (_, call) =>
      list(all(`files/${call.path['pull_number'] ?? ''}`, null)),
    [`GET ${repo}/actions/runs`]: (_, call) =>
      list(runsFor(all('runs', 'workflow_runs'), call), 'workflow_runs'),
    [`GET ${repo}/actions/runs/{run_id}/attempts/{attempt_number}`]: (_, { path }) =>
      one(`attempts/${path['run_id'] ?? ''}-${path['attempt_number'] ?? ''}`),
    [`GET ${repo}/commits/{ref}/check-runs`]: (_, call) =>
      list(all(`check-runs/${call.path['ref'] ?? ''}`, 'check_runs'), 'check_runs'),
    [`GET ${repo}/commits/{ref}/statuses`]: (_, call) =>
      list(all(`statuses/${call.path['ref'] ?? ''}`, null)),
  }
}

export function rateLimit(remaining: number, reset: number): Fields {
  const core = { limit: 5_000, used: 5_000 - remaining, remaining, reset }
  return { resources: { core, search: core }, rate: core }
}

/** The filters and the order that a download asks for. */
function pullsFor(pulls: readonly Fields[], { query }: Call): Fields[] {
  return pulls
    .filter((pull) => pull['state'] === query.get('state'))
    .filter(({ base }) => isRecord(base) && base['ref'] === query.get('base'))
    .toSorted((a, b) => String(b['updated_at']).localeCompare(String(a['updated_at'])))
}

function runsFor(runs: readonly Fields[], { query }: Call): Fields[] {
  const [from = '', to = '~'] = (query.get('created') ?? '').split('..')
  const fits = (run: Fields, parameter: string, field: string): boolean =>
    query.get(parameter) === null || run[field] === query.get(parameter)
  return runs
    .filter((run) => fits(run, 'event', 'event') && fits(run, 'branch', 'head_branch'))
    .filter((run) => fits(run, 'head_sha', 'head_sha'))
    .filter((run) => String(run['created_at']) >= from && String(run['created_at']) <= to)
}
