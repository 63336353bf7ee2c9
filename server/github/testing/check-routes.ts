/** Checks, statuses and workflow runs. */

import { notFound, textIn, type Route } from '../../forge/testing/call.ts'
import { checkOf, statusOf, workflowRunOf } from './shapes.ts'
import { nextId, type FakeStatus } from '../../forge/testing/state.ts'

const repo = '/repos/{owner}/{repo}'
const states = ['pending', 'success', 'failure', 'error'] as const

export const checkRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/commits/{ref}/check-runs`]: ({ checks }, call) => {
    const found = checks.filter(({ sha }) => sha === call.path['ref'])
    return {
      status: 200,
      items: found.map((check) => checkOf(check)),
      wrap: (page, total) => ({ total_count: total, check_runs: page }),
    }
  },

  [`GET ${repo}/commits/{ref}/statuses`]: ({ statuses }, call) => {
    const found = statuses.filter(({ sha }) => sha === call.path['ref']).reverse()
    return { status: 200, items: found.map((status) => statusOf(status)) }
  },

  [`POST ${repo}/statuses/{sha}`]: (state, { path, body }) => {
    const value = states.find((each) => each === body['state'])
    if (!value) return { status: 422, body: { message: 'Validation Failed' } }
    const made: FakeStatus = {
      id: nextId(state),
      sha: path['sha'] ?? '',
      context: textIn(body, 'context', 'default'),
      state: value,
      description: textIn(body, 'description'),
      url: typeof body['target_url'] === 'string' ? body['target_url'] : null,
      by: state.login,
      createdAt: state.now(),
    }
    state.statuses.push(made)
    return { status: 201, body: statusOf(made) }
  },

  [`GET ${repo}/actions/runs`]: ({ workflowRuns }, call) => {
    const [branch, sha] = [call.query.get('branch'), call.query.get('head_sha')]
    const found = workflowRuns
      .filter((run) => branch === null || run.branch === branch)
      .filter((run) => sha === null || run.sha === sha)
    return {
      status: 200,
      items: found.map((run) => workflowRunOf(run)),
      wrap: (page, total) => ({ total_count: total, workflow_runs: page }),
    }
  },

  [`POST ${repo}/actions/runs/{run_id}/cancel`]: ({ workflowRuns, checks }, { path }) => {
    const run = workflowRuns.find(({ id }) => id === Number(path['run_id']))
    if (!run) return notFound
    if (run.status === 'completed') {
      return { status: 409, body: { message: 'Cannot cancel a workflow run that is completed.' } }
    }
    run.status = 'completed'
    run.conclusion = 'cancelled'
    for (const check of checks) {
      if (check.suite !== run.suite || check.status === 'completed') continue
      check.status = 'completed'
      check.conclusion = 'cancelled'
    }
    return { status: 202, body: {} }
  },
}
