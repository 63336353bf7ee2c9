/** What the fake answers to each operation, as GitLab does. */

import { cancelled, edited, reacted, written } from '../../forge/testing/acts.ts'
import { textIn, type Answer, type Route } from '../../forge/testing/call.ts'
import { idOfUser, nextId } from '../../forge/testing/state.ts'
import { mergeRequestRoutes } from './merge-request-routes.ts'
import {
  jobOf,
  levelOf,
  noteOf,
  notesOfReviews,
  pipelineOf,
  projectOf,
  systemNoteOf,
  userOf,
} from './shapes.ts'

const project = '/projects/{id}'
const notes = `${project}/merge_requests/{noteable_id}/notes`
const dayMs = 86_400_000

const missing: Answer = { status: 404, body: { message: '404 Not found' } }

export const routes: Readonly<Record<string, Route>> = {
  ...mergeRequestRoutes,

  [`POST ${project}/labels`]: ({ labels }, { body }) => {
    const name = textIn(body, 'name')
    if (labels.includes(name)) return { status: 409, body: { message: 'Label already exists' } }
    labels.push(name)
    return { status: 201, body: { id: labels.length, name, color: '#8c959f' } }
  },

  'GET /user': ({ login }) => ({ status: 200, body: userOf(login) }),
  [`GET ${project}`]: (state) => ({ status: 200, body: projectOf(state) }),

  [`GET ${project}/repository/branches/{branch}`]: ({ permissions, rules }, { path }) => ({
    status: 200,
    body: {
      name: path['branch'],
      protected: rules !== null,
      can_push: permissions.push,
      developers_can_push: permissions.push && !permissions.admin,
    },
  }),

  [`GET ${project}/members/all/{user_id}`]: (state, { path }) => {
    const login = [...state.people.keys()].find(
      (name) => idOfUser(name) === Number(path['user_id']),
    )
    if (login === undefined) return missing
    return { status: 200, body: { ...userOf(login), access_level: levelOf(state, login) } }
  },

  [`GET ${project}/events`]: ({ comments }, call) => {
    const after = Date.parse(call.query.get('after') ?? '1970-01-01')
    const found = comments
      .filter(({ createdAt }) => createdAt >= after + dayMs)
      .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
    const events = found.map((comment) => ({
      id: comment.id,
      project_id: 1,
      action_name: 'commented on',
      target_type: 'Note',
      author_username: comment.user,
      created_at: new Date(comment.createdAt).toISOString(),
      note: noteOf(comment),
    }))
    return { status: 200, items: events }
  },

  [`GET ${notes}`]: ({ comments, deeds, pulls }, call) => {
    const isOfIt = ({ number }: { readonly number: number }): boolean =>
      number === Number(call.path['noteable_id'])
    const all = [
      ...comments.filter(isOfIt).map((comment) => noteOf(comment)),
      ...deeds.filter(isOfIt).flatMap((deed) => systemNoteOf(deed)),
      ...[...pulls.values()].filter(isOfIt).flatMap(notesOfReviews),
    ]
    const isOldestFirst = call.query.get('sort') === 'asc'
    all.sort((a, b) => (isOldestFirst ? a.id - b.id : b.id - a.id))
    return { status: 200, items: all }
  },

  [`POST ${notes}`]: (state, { path, body }) => {
    const made = written(state, Number(path['noteable_id']), textIn(body, 'body'))
    return { status: 201, body: noteOf(made) }
  },

  [`PUT ${notes}/{note_id}`]: (state, { path, body }) => {
    const found = edited(state, Number(path['note_id']), textIn(body, 'body'))
    return found ? { status: 200, body: noteOf(found) } : missing
  },

  [`POST ${project}/merge_requests/{merge_request_iid}/notes/{note_id}/award_emoji`]: (
    state,
    call,
  ) => {
    const name = textIn(call.body, 'name')
    if (!reacted(state, Number(call.path['note_id']), name)) return missing
    return { status: 201, body: { id: nextId(state), name, user: userOf(state.login) } }
  },

  [`GET ${project}/pipelines`]: ({ workflowRuns }, call) => {
    const [ref, sha] = [call.query.get('ref'), call.query.get('sha')]
    const found = workflowRuns
      .filter((run) => ref === null || run.branch === ref)
      .filter((run) => sha === null || run.sha === sha)
      .reverse()
    return { status: 200, items: found.map((run) => pipelineOf(run)) }
  },

  [`POST ${project}/pipelines/{pipeline_id}/cancel`]: (state, { path }) => {
    const run = state.workflowRuns.find(({ suite }) => suite === Number(path['pipeline_id']))
    if (!run) return missing
    cancelled(state, run)
    return { status: 201, body: pipelineOf(run) }
  },

  [`GET ${project}/repository/commits/{sha}/statuses`]: ({ checks, workflowRuns }, call) => {
    const ref = call.query.get('ref')
    const found = checks.flatMap((check) => {
      const run = workflowRuns.find(({ suite }) => suite === check.suite)
      const isIt = check.sha === call.path['sha'] && (ref === null || run?.branch === ref)
      return isIt ? jobOf(check, run?.branch ?? '') : []
    })
    return { status: 200, items: found }
  },
}
