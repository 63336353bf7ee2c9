/** Comments, reactions and labels. */

import { edited, reacted, written } from '../../forge/testing/acts.ts'
import { notFound, textIn, type Route } from '../../forge/testing/call.ts'
import { commentOf, filled, labelOf, userOf } from './shapes.ts'
import { change, nextId } from '../../forge/testing/state.ts'

const repo = '/repos/{owner}/{repo}'

export const talkRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/issues/comments`]: ({ comments }, call) => {
    const since = Date.parse(call.query.get('since') ?? '1970-01-01')
    // GitHub compares whole seconds.
    const found = comments.filter(({ updatedAt }) => updatedAt - (updatedAt % 1_000) >= since)
    if (call.query.get('direction') === 'desc') found.reverse()
    return { status: 200, items: found.map((comment) => commentOf(comment)) }
  },

  [`GET ${repo}/issues/{issue_number}/comments`]: ({ comments }, call) => {
    const found = comments.filter(({ number }) => number === Number(call.path['issue_number']))
    return { status: 200, items: found.map((comment) => commentOf(comment)) }
  },

  [`POST ${repo}/issues/{issue_number}/comments`]: (state, { path, body }) => {
    const made = written(state, Number(path['issue_number']), textIn(body, 'body'))
    return { status: 201, body: commentOf(made) }
  },

  [`PATCH ${repo}/issues/comments/{comment_id}`]: (state, { path, body }) => {
    const found = edited(state, Number(path['comment_id']), textIn(body, 'body'))
    return found ? { status: 200, body: commentOf(found) } : notFound
  },

  [`POST ${repo}/issues/comments/{comment_id}/reactions`]: (state, { path, body }) => {
    const content = textIn(body, 'content')
    if (!reacted(state, Number(path['comment_id']), content)) return notFound
    const made = { id: nextId(state), user: userOf(state.login), content }
    return { status: 201, body: filled('reaction', made) }
  },

  [`POST ${repo}/labels`]: ({ labels }, { body }) => {
    const name = textIn(body, 'name')
    if (labels.includes(name)) return { status: 422, body: { message: 'Validation Failed' } }
    labels.push(name)
    return { status: 201, body: labelOf(name) }
  },

  [`POST ${repo}/issues/{issue_number}/labels`]: (state, { path, body }) => {
    const pull = state.pulls.get(Number(path['issue_number']))
    if (!pull) return notFound
    const names = Array.isArray(body['labels']) ? body['labels'].map(String) : []
    change(state, pull, { labels: [...new Set([...pull.labels, ...names])], by: state.login })
    return { status: 200, body: pull.labels.map((name) => labelOf(name)) }
  },

  [`DELETE ${repo}/issues/{issue_number}/labels/{name}`]: (state, { path }) => {
    const pull = state.pulls.get(Number(path['issue_number']))
    const name = path['name'] ?? ''
    if (!pull?.labels.includes(name)) {
      return { status: 404, body: { message: 'Label does not exist' } }
    }
    change(state, pull, { labels: pull.labels.filter((each) => each !== name), by: state.login })
    return { status: 200, body: pull.labels.map((each) => labelOf(each)) }
  },
}
