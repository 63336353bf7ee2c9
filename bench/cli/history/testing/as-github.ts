/** Records as GitHub answers them: each object has all fields that GitHub's own document requires. */

import { filled } from '../../../../server/github/testing/shapes.ts'
import type {
  GitHubRecords,
  Pull,
  TimelineItem,
  WorkflowRun,
} from '../../../../sim/import/github/records.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a file of a history's folder holds, and the path of the request that it answers. */
export type Answered = { readonly file: string; readonly path: string; readonly body: unknown }

const repo = '/repos/acme/shop'

/** Every answer of which the records consist. */
export function answersOf(records: GitHubRecords): Answered[] {
  const last = new Map(records.runs.map((run) => [run.id, run]))
  const earlier = records.runs.filter((run) => last.get(run.id) !== run)
  const { repository, rules, checks } = records
  const shas = [...new Set(checks.map(({ head_sha: sha }) => sha))]
  return [
    { file: 'repo', path: repo, body: filled('full-repository', { ...repository }) },
    { file: 'rules', path: `${repo}/rules/branches/main`, body: (rules ?? []).map(ruleOf) },
    { file: 'pulls', path: `${repo}/pulls`, body: records.pulls.map(pullOf) },
    ...[...records.timelines].map(([number, items]) => ({
      file: `timeline/${number}`,
      path: `${repo}/issues/${number}/timeline`,
      body: items.map(itemOf),
    })),
    ...[...records.files].map(([number, files]) => ({
      file: `files/${number}`,
      path: `${repo}/pulls/${number}/files`,
      body: files.map(({ filename }) => filled('diff-entry', { filename, status: 'modified' })),
    })),
    {
      file: 'runs',
      path: `${repo}/actions/runs`,
      body: pageOf('workflow_runs', [...last.values()].map(runOf)),
    },
    ...earlier.map((run) => ({
      file: `attempts/${run.id}-${run.run_attempt ?? 1}`,
      path: `${repo}/actions/runs/${run.id}/attempts/${run.run_attempt ?? 1}`,
      body: runOf(run),
    })),
    ...shas.map((sha) => ({
      file: `check-runs/${sha}`,
      path: `${repo}/commits/${sha}/check-runs`,
      body: pageOf(
        'check_runs',
        checks
          .filter((check) => check.head_sha === sha)
          .map((check) =>
            filled('check-run', { ...check, app: filled('integration', { ...check.app }) }),
          ),
      ),
    })),
    ...[...records.statuses].map(([sha, list]) => ({
      file: `statuses/${sha}`,
      path: `${repo}/commits/${sha}/statuses`,
      body: list.map((status) => filled('status', { ...status })),
    })),
  ]
}

function pageOf(field: string, items: readonly unknown[]): Fields {
  return { total_count: items.length, [field]: items }
}

function ruleOf({ type, parameters }: NonNullable<GitHubRecords['rules']>[number]): Fields {
  const rest = {
    ...{ grouping_strategy: 'ALLGREEN', max_entries_to_merge: 5, merge_method: 'SQUASH' },
    ...{ min_entries_to_merge: 1, min_entries_to_merge_wait_minutes: 5 },
  }
  return { type, parameters: { ...rest, ...parameters } }
}

function userOf(user: Pull['user']): Fields | null {
  return user && filled('simple-user', { ...user })
}

function pullOf({ user, head, base, ...rest }: Pull): Fields {
  return filled('pull-request-simple', {
    ...rest,
    user: userOf(user),
    state: rest.closed_at === null ? 'open' : 'closed',
    updated_at: rest.closed_at ?? rest.created_at,
    head: { ...head, label: `acme:${head.ref}` },
    base: { ...base, label: `acme:${base.ref}` },
  })
}

const schemas: Readonly<Record<string, string>> = {
  committed: 'timeline-committed-event',
  commented: 'timeline-comment-event',
  reviewed: 'timeline-reviewed-event',
  labeled: 'labeled-issue-event',
  unlabeled: 'unlabeled-issue-event',
}

function itemOf({ actor, user, ...rest }: TimelineItem): Fields {
  const people = {
    ...(actor === undefined ? {} : { actor: userOf(actor) }),
    ...(user === undefined ? {} : { user: userOf(user) }),
  }
  return filled(schemas[rest.event ?? ''] ?? 'state-change-issue-event', { ...rest, ...people })
}

function runOf(run: WorkflowRun): Fields {
  const { head_commit: commit, ...rest } = run
  return filled('workflow-run', {
    ...rest,
    head_commit: commit ? filled('nullable-simple-commit', { ...commit }) : null,
  })
}
