/** What a request to the API of a host does to its state, on each of them: the dialects name the fields. */

import {
  made,
  notFound,
  ok,
  pageOf,
  refused,
  textIn,
  type Answer,
  type Call,
  type Route,
} from './call.ts'
import {
  change,
  markMerged,
  nextId,
  openedPull,
  secondOfCommit,
  type FakeComment,
  type FakePull,
  type FakeState,
  type FakeStatus,
  type FakeWorkflowRun,
} from './state.ts'

/** The pull requests of a state and of a base, the newest first. `all` and null: of every one. */
export function listed(
  { pulls }: FakeState,
  state: string | null,
  base: string | null,
): FakePull[] {
  return [...pulls.values()]
    .filter((pull) => state === null || state === 'all' || pull.state === state)
    .filter((pull) => base === null || pull.base === base)
    .sort((a, b) => b.number - a.number)
}

/** Answers about the pull request whose number has this name in the path. */
export function ofPull(
  name: string,
  answer: (pull: FakePull, state: FakeState, call: Call) => Answer | Promise<Answer>,
  missing = notFound,
): Route {
  return (state, call) => {
    const pull = state.pulls.get(Number(call.path[name]))
    return pull ? answer(pull, state, call) : missing
  }
}

/** Opens a pull request for a branch; null: there is an open one. */
export async function opened(
  state: FakeState,
  asked: Pick<FakePull, 'branch' | 'title' | 'body' | 'base' | 'isDraft'>,
  pullRef: (number: number) => string,
): Promise<FakePull | null> {
  const { repository, pulls, login: author } = state
  const { branch } = asked
  if (listed(state, 'open', null).some((pull) => pull.branch === branch)) return null
  const head = await repository.oidOf(`refs/heads/${branch}`)
  const number = Math.max(0, ...pulls.keys()) + 1
  const pull = openedPull(state, { ...asked, number, head, author })
  await repository.set(pullRef(number), head)
  return pull
}

/** Changes a pull request as a request asks; an answer: the host refuses it. */
export function editedPull(
  state: FakeState,
  pull: FakePull,
  body: Readonly<Record<string, unknown>>,
): Answer | null {
  const { base = pull.base, state: wanted } = body
  const { login: by } = state
  if (typeof base !== 'string') return refused(422, 'Validation Failed')
  if (base !== pull.base && pull.state === 'closed') {
    return refused(422, 'Cannot change the base branch of a closed pull request.')
  }
  change(state, pull, { base, by, ...(wanted === 'closed' ? { state: 'closed' } : {}) })
  return null
}

type Pressed = { readonly method: 'merge' | 'squash' | 'rebase'; readonly text: string }

/** Merges as the button does, and returns the commit; null: it conflicts. */
export async function mergedByButton(
  state: FakeState,
  pull: FakePull,
  pressed: Pressed,
): Promise<string | null> {
  const { repository } = state
  const target = `refs/heads/${pull.base}`
  const { head, author } = pull
  const tip = await repository.oidOf(target)
  const second = (): number => secondOfCommit(state)
  const commit = await repository
    .mergeByButton({ ...pressed, head, tip, author, second })
    .catch(() => null)
  if (commit === null) return null
  await repository.set(target, commit)
  markMerged(state, pull, commit)
  return commit
}

/** A comment; by default the account of the credentials writes it. */
export function written(
  state: FakeState,
  number: number,
  body: string,
  user = state.login,
): FakeComment {
  const [createdAt, updatedAt] = [state.now(), state.now()]
  const about = { id: nextId(state), number, body, user }
  const comment: FakeComment = { ...about, createdAt, updatedAt, reactions: [] }
  state.comments.push(comment)
  const pull = state.pulls.get(number)
  if (pull) pull.updatedAt = state.now()
  return comment
}

/** Changes a comment as its page does; undefined: there is none. */
export function edited(state: FakeState, id: number, body: string): FakeComment | undefined {
  const comment = state.comments.find((each) => each.id === id)
  if (comment) Object.assign(comment, { body, updatedAt: state.now() })
  return comment
}

/** Adds a reaction to a comment, once: whether it was there; null: there is no such comment. */
export function reacted(state: FakeState, id: number, reaction: string): 'made' | 'there' | null {
  const comment = state.comments.find((each) => each.id === id)
  if (!comment) return null
  if (comment.reactions.includes(reaction)) return 'there'
  comment.reactions.push(reaction)
  return 'made'
}

const states = ['pending', 'success', 'failure', 'error'] as const

/** Writes a status on a commit, with the fields that GitHub and Gitea share; null: its state is none. */
function reported(state: FakeState, { path, body }: Call): FakeStatus | null {
  const value = states.find((each) => each === body['state'])
  if (!value) return null
  return judged(state, {
    sha: path['sha'] ?? '',
    context: textIn(body, 'context', 'default'),
    state: value,
    description: textIn(body, 'description'),
    url: textIn(body, 'target_url') || null,
    by: state.login,
  })
}

type StatusFields = Pick<FakeStatus, 'sha' | 'context' | 'state' | 'by'> & Partial<FakeStatus>

/** Writes a status on a commit. */
export function judged(state: FakeState, fields: StatusFields): FakeStatus {
  const more = { id: nextId(state), description: '', url: null, createdAt: state.now() }
  const status = { ...more, ...fields }
  state.statuses.push(status)
  return status
}

/** Cancels a run, with those of its jobs that have not ended. */
export function cancelled({ checks }: FakeState, run: FakeWorkflowRun): void {
  for (const each of [run, ...checks.filter(({ suite }) => suite === run.suite)]) {
    if (each.status === 'completed') continue
    each.status = 'completed'
    each.conclusion = 'cancelled'
  }
}

type Talk = {
  /** The names that the numbers of a pull request and of a comment have in paths. */
  readonly issue: string
  readonly comment: string
  readonly commentOf: (comment: FakeComment) => object
  readonly reactionOf: (state: FakeState, content: string) => object
  readonly statusOf: (status: FakeStatus) => object
  /** What is wrong with a status whose state is none. */
  readonly noState: string
  /** Why a status with such a text is refused; null: it is not. */
  readonly refusalOf?: (text: string) => string | null
}

/** Comments and statuses, as GitHub and Gitea share them. */
export function talkRoutes(repo: string, how: Talk): Readonly<Record<string, Route>> {
  const { issue, comment, commentOf, reactionOf, statusOf, noState, refusalOf } = how
  return {
    [`GET ${repo}/issues/comments`]: ({ comments }, call) => {
      const since = Date.parse(call.query.get('since') ?? '1970-01-01')
      // They compare whole seconds.
      const found = comments.filter(({ updatedAt }) => updatedAt - (updatedAt % 1_000) >= since)
      return pageOf(found.map((each) => commentOf(each)))
    },
    [`POST ${repo}/issues/{${issue}}/comments`]: (state, { path, body }) =>
      made(commentOf(written(state, Number(path[issue]), textIn(body, 'body')))),
    [`PATCH ${repo}/issues/comments/{${comment}}`]: (state, { path, body }) => {
      const found = edited(state, Number(path[comment]), textIn(body, 'body'))
      return found ? ok(commentOf(found)) : notFound
    },
    [`POST ${repo}/issues/comments/{${comment}}/reactions`]: (state, { path, body }) => {
      const content = textIn(body, 'content')
      const is = reacted(state, Number(path[comment]), content)
      if (is === null) return notFound
      return (is === 'made' ? made : ok)(reactionOf(state, content))
    },
    [`POST ${repo}/statuses/{sha}`]: (state, call) => {
      const why = refusalOf?.(textIn(call.body, 'context') + textIn(call.body, 'description'))
      if (typeof why === 'string') return refused(422, why)
      const status = reported(state, call)
      return status ? made(statusOf(status)) : refused(422, noState)
    },
  }
}
