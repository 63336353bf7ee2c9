/** What was done to a pull request and its branch: the timeline, and the activity of a repository. */

import type { Answer, Call, Route } from '../../forge/testing/call.ts'
import { isoOf, type FakeDeed, type FakeState } from '../../forge/testing/state.ts'
import { filled, userOf } from './shapes.ts'

const repo = '/repos/{owner}/{repo}'

export const deedRoutes: Readonly<Record<string, Route>> = {
  [`GET ${repo}/issues/{issue_number}/timeline`]: (state, call) => {
    const number = Number(call.path['issue_number'])
    const ofPull = (each: { readonly number: number }): boolean => each.number === number
    const deeds = state.deeds.filter(ofPull).flatMap((deed) => {
      const event = eventOf(deed)
      return event === null ? [] : { id: deed.id, event }
    })
    const comments = state.comments.filter(ofPull).map(({ id, user, body, createdAt }) => {
      const at = isoOf(createdAt)
      const about = { id, user: userOf(user), actor: userOf(user), body, event: 'commented' }
      const fields = { ...about, created_at: at, updated_at: at, author_association: 'NONE' }
      return { id, event: filled('timeline-comment-event', fields) }
    })
    const all = [...deeds, ...comments].sort((a, b) => a.id - b.id).map(({ event }) => event)
    return { status: 200, items: all }
  },

  /** Of forks too: who may read a repository may ask this. The newest first. */
  [`GET ${repo}/activity`]: (state, call) => {
    const found = state.deeds.filter((deed) => deed.is === 'branch')
    const pushes = found.filter(({ number }) => {
      const pull = state.pulls.get(number)
      const owner = pull?.isFork === true ? pull.author : state.owner
      return owner === call.path['owner'] && `refs/heads/${pull?.branch}` === call.query.get('ref')
    })
    const isGone = pushes.some(({ number }) => state.pulls.get(number)?.isForkGone === true)
    if (isGone) return { status: 404, body: { message: 'Not Found' } }
    const all = pushes.reverse().map((push) => activityOf(state, push))
    return byCursor(all, call)
  },
}

/** A page of a list that names the next one by a cursor. */
function byCursor(all: readonly unknown[], { query }: Call): Answer {
  const [from, size] = [Number(query.get('after') ?? 0), Number(query.get('per_page') ?? 30)]
  const next = from + size
  const link = `<https://api.github.com/next?after=${next}>; rel="next"`
  const headers = next < all.length ? { headers: { link } } : {}
  return { status: 200, body: all.slice(from, next), ...headers }
}

const events = {
  closed: 'closed',
  reopened: 'reopened',
  drafted: 'convert_to_draft',
  readied: 'ready_for_review',
  retargeted: 'base_ref_changed',
} as const

/** A push with force is an event; other pushes show as commits, with the instants that the pusher gave them. */
function eventOf(deed: FakeDeed): object | null {
  const about = { id: deed.id, actor: userOf(deed.by), created_at: isoOf(deed.at) }
  if (deed.is === 'labelled' || deed.is === 'unlabelled') {
    const event = deed.is === 'labelled' ? 'labeled' : 'unlabeled'
    const label = { name: deed.label, color: 'ededed' }
    return filled(`${event}-issue-event`, { ...about, event, label })
  }
  if (deed.is === 'pushed') {
    return filled('timeline-committed-event', { event: 'committed', sha: deed.head })
  }
  if (deed.is !== 'branch') {
    return filled('state-change-issue-event', { ...about, event: events[deed.is] })
  }
  return deed.isForced && deed.wasOpen
    ? filled('state-change-issue-event', { ...about, event: 'head_ref_force_pushed' })
    : null
}

function activityOf(state: FakeState, deed: Extract<FakeDeed, { readonly is: 'branch' }>) {
  const nothing = '0'.repeat(40)
  return filled('activity', {
    id: deed.id,
    before: deed.before ?? nothing,
    after: deed.after,
    ref: `refs/heads/${state.pulls.get(deed.number)?.branch ?? ''}`,
    timestamp: isoOf(deed.at),
    activity_type: deed.before === null ? 'branch_creation' : deed.isForced ? 'force_push' : 'push',
    actor: userOf(deed.by),
  })
}
