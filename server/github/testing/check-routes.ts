/** Checks, statuses and workflow runs. */

import { cancelled, reported } from '../../forge/testing/acts.ts'
import { notFound, type Route } from '../../forge/testing/call.ts'
import { checkOf, statusOf, workflowRunOf } from './shapes.ts'

const repo = '/repos/{owner}/{repo}'

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

  [`POST ${repo}/statuses/{sha}`]: (state, call) => {
    const made = reported(state, call)
    if (!made) return { status: 422, body: { message: 'Validation Failed' } }
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

  [`POST ${repo}/actions/runs/{run_id}/cancel`]: (state, { path }) => {
    const run = state.workflowRuns.find(({ id }) => id === Number(path['run_id']))
    if (!run) return notFound
    if (run.status === 'completed') {
      return { status: 409, body: { message: 'Cannot cancel a workflow run that is completed.' } }
    }
    cancelled(state, run)
    return { status: 202, body: {} }
  },
}
