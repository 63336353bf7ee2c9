/** Merge requests of the fake GitLab: the list, one of them, approvals, and the merge button. */

import {
  listed,
  mergedByButton,
  ofPull,
  opened,
  cancelled,
  edited,
  reacted,
  written,
} from '../../code-host/testing/acts.ts'
import {
  made,
  ok,
  pageOf,
  refused,
  textIn,
  type Answer,
  type Call,
  type Route,
} from '../../code-host/testing/call.ts'
import {
  change,
  type FakeActivity,
  type FakePull,
  type FakeState,
  idOfUser,
  nextId,
  countedReviews,
  mayWrite,
} from '../../code-host/testing/state.ts'
import {
  approvalsOf,
  blockerOf,
  isBlocked,
  mergeRequestOf,
  userOf,
  jobOf,
  levelOf,
  noteOf,
  notesOfReviews,
  pipelineOf,
  projectOf,
  systemNoteOf,
} from './shapes.ts'
import type { FakeDialect } from '../../code-host/testing/dialect.ts'
import {
  codeHostWorld,
  type CodeHostWorldOptions,
} from '../../code-host/testing/code-host-world.ts'
import { gitlabAdapter } from '../adapter.ts'
import { Published } from '../../code-host/testing/published.ts'
import { webhookOf } from './webhooks.ts'

const requests = '/projects/{id}/merge_requests'
const one = `${requests}/{merge_request_iid}`

const missing = refused(404, '404 Not found')

const ofRequest = (answer: Parameters<typeof ofPull>[1]): Route =>
  ofPull('merge_request_iid', answer, missing)

const mergeRequestRoutes: Readonly<Record<string, Route>> = {
  [`GET ${requests}`]: (state, call) => {
    const wanted = call.query.get('state') === 'opened' ? 'open' : null
    const branch = call.query.get('source_branch')
    const found = listed(state, wanted, call.query.get('target_branch')).filter(
      (pull) => branch === null || pull.branch === branch,
    )
    return pageOf(found.map((pull) => mergeRequestOf(state, pull)))
  },

  [`POST ${requests}`]: created,

  /** The first who asks after the branch has changed makes GitLab look again, and is not told the outcome. */
  [`GET ${one}`]: ofRequest(async (pull, state) => {
    const tip = await state.repository.oidOf(`refs/heads/${pull.base}`)
    const isLooking = pull.state === 'open' && pull.lookedAt !== tip
    pull.lookedAt = tip
    const request = mergeRequestOf(state, pull)
    return ok(isLooking ? { ...request, detailed_merge_status: 'checking' } : request)
  }),

  [`PUT ${one}`]: ofRequest((pull, state, call) => {
    const [added, removed] = [listIn(call, 'add_labels'), listIn(call, 'remove_labels')]
    const kept = pull.labels.filter((name) => !removed.includes(name))
    const isClosing = call.body['state_event'] === 'close'
    change(state, pull, {
      ...(isClosing ? { state: 'closed' } : {}),
      labels: [...new Set([...kept, ...added])],
      base: textIn(call.body, 'target_branch', pull.base),
      by: state.login,
    })
    return ok(mergeRequestOf(state, pull))
  }),

  [`GET ${one}/approval_state`]: ofRequest((pull, state) => {
    const by = approvalsOf(state, pull)
    const needed = state.rules?.approvals ?? 0
    const rule = {
      id: 1,
      name: 'All Members',
      rule_type: 'any_approver',
      approvals_required: needed,
      approved_by: by.map(({ user }) => userOf(user)),
      approved: by.length >= needed,
    }
    return ok({ approval_rules_overwritten: false, rules: [rule] })
  }),

  [`GET ${one}/blocks`]: ofRequest((pull, state) => {
    // Of a tier without dependencies.
    if (!state.hasDependencies) return missing
    const items = (pull.blockedBy ?? []).map((blocker, index) => ({
      id: index + 1,
      ...blockerOf(state, blocker),
      blocked_merge_request: mergeRequestOf(state, pull),
    }))
    return pageOf(items)
  }),

  [`PUT ${one}/merge`]: ofRequest(merged),

  /** Also those of its branch. */
  [`GET ${one}/pipelines`]: ofRequest(({ number, branch }, { workflowRuns }) => {
    const refs = new Set([branch, `refs/merge-requests/${number}/head`])
    const found = workflowRuns.filter((run) => refs.has(run.branch)).reverse()
    return pageOf(found.map((run) => pipelineOf(run)))
  }),

  [`GET ${requests}/{eventable_id}/resource_label_events`]: (state, call) => {
    const events = activitiesOf(state, call, 'eventable_id').flatMap((activity) => {
      if (activity.is !== 'labelled' && activity.is !== 'unlabelled') return []
      const action = activity.is === 'labelled' ? 'add' : 'remove'
      return {
        ...eventOf(activity),
        label: { id: 1, name: activity.label, color: '#ededed' },
        action,
      }
    })
    return pageOf(events)
  },

  [`GET ${requests}/{eventable_id}/resource_state_events`]: (state, call) => {
    const events = activitiesOf(state, call, 'eventable_id').flatMap((activity) =>
      activity.is === 'closed' || activity.is === 'reopened'
        ? { ...eventOf(activity), state: activity.is }
        : [],
    )
    return pageOf(events)
  },

  /** The newest first. A push makes one, and so does another target branch. */
  [`GET ${one}/versions`]: (state, call) => {
    const versions: object[] = []
    let head = ''
    for (const activity of activitiesOf(state, call, 'merge_request_iid')) {
      const isFirst = activity.is === 'branch' && activity.before === null
      if (isFirst) head = activity.after
      else if (activity.is === 'pushed') ({ head } = activity)
      else if (activity.is !== 'retargeted') continue
      const created_at = new Date(activity.at).toISOString()
      versions.unshift({ id: activity.id, head_commit_sha: head, created_at, state: 'collected' })
    }
    return pageOf(versions)
  },
}

function activitiesOf({ activities }: FakeState, { path }: Call, name: string): FakeActivity[] {
  return activities.filter(({ number }) => number === Number(path[name]))
}

function eventOf({ id, by, at, number }: FakeActivity) {
  const created_at = new Date(at).toISOString()
  const about = { resource_type: 'MergeRequest', resource_id: number + 10_000 }
  return { id, user: userOf(by), created_at, ...about }
}

function listIn({ body }: Call, name: string): string[] {
  const value = body[name]
  return Array.isArray(value) ? value.map(String) : []
}

const longestTitle = 255
const tooLong = { title: [`is too long (maximum is ${longestTitle} characters)`] }

async function created(state: FakeState, { body }: Call): Promise<Answer> {
  const title = textIn(body, 'title')
  if (title.length > longestTitle) return { status: 400, body: { message: tooLong } }
  const asked = {
    branch: textIn(body, 'source_branch'),
    base: textIn(body, 'target_branch'),
    title,
    body: textIn(body, 'description'),
    isDraft: title.startsWith('Draft:'),
  }
  const pull = await opened(state, asked, (number) => `refs/merge-requests/${number}/head`)
  if (pull) return made(mergeRequestOf(state, pull))
  const message = ['Another open merge request already exists for this source branch']
  return { status: 409, body: { message } }
}

const notAllowed = refused(405, '405 Method Not Allowed')

/** The merge button, in a project whose merges make merge commits. */
async function merged(pull: FakePull, state: FakeState, { body }: Call): Promise<Answer> {
  if (body['sha'] !== pull.head) return refused(409, 'SHA does not match HEAD of source branch')
  const isRefused = pull.isDraft || state.isButtonDenied || isBlocked(state, pull)
  if (pull.state === 'closed' || isRefused) return notAllowed
  const text = textIn(body, 'squash_commit_message')
  const method = body['squash'] === true ? 'squash' : 'merge'
  const commit = await mergedByButton(state, pull, { method, text })
  if (commit !== null) return ok(mergeRequestOf(state, pull))
  // It has looked anew.
  pull.lookedAt = await state.repository.oidOf(`refs/heads/${pull.base}`)
  pull.conflictsWith = pull.lookedAt
  return notAllowed
}

// What the fake answers to each operation, as GitLab does.

const projectPath = '/projects/{id}'
const notes = `${projectPath}/merge_requests/{noteable_id}/notes`
const dayMs = 86_400_000

const routes: Readonly<Record<string, Route>> = {
  ...mergeRequestRoutes,

  [`POST ${projectPath}/labels`]: ({ labels }, { body }) => {
    const name = textIn(body, 'name')
    if (labels.includes(name)) return refused(409, 'Label already exists')
    labels.push(name)
    return made({ id: labels.length, name, color: '#8c959f' })
  },

  'GET /user': ({ login }) => ok(userOf(login)),
  [`GET ${projectPath}`]: (state) => ok(projectOf(state)),

  [`GET ${projectPath}/repository/branches/{branch}`]: ({ permissions, rules }, { path }) =>
    ok({
      name: path['branch'],
      protected: rules !== null,
      can_push: permissions.push,
      developers_can_push: permissions.push && !permissions.admin,
    }),

  [`GET ${projectPath}/members/all/{user_id}`]: (state, { path }) => {
    const login = [...state.people.keys()].find(
      (name) => idOfUser(name) === Number(path['user_id']),
    )
    if (login === undefined) return missing
    return ok({ ...userOf(login), access_level: levelOf(state, login) })
  },

  [`GET ${projectPath}/events`]: ({ comments }, call) => {
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
    return pageOf(events)
  },

  [`GET ${notes}`]: ({ comments, activities, pulls }, call) => {
    const isOfIt = ({ number }: { readonly number: number }): boolean =>
      number === Number(call.path['noteable_id'])
    const all = [
      ...comments.filter(isOfIt).map((comment) => noteOf(comment)),
      ...activities.filter(isOfIt).flatMap((activity) => systemNoteOf(activity)),
      ...[...pulls.values()].filter(isOfIt).flatMap(notesOfReviews),
    ]
    const isOldestFirst = call.query.get('sort') === 'asc'
    all.sort((a, b) => (isOldestFirst ? a.id - b.id : b.id - a.id))
    return pageOf(all)
  },

  [`POST ${notes}`]: (state, { path, body }) => {
    const note = written(state, Number(path['noteable_id']), textIn(body, 'body'))
    return made(noteOf(note))
  },

  [`PUT ${notes}/{note_id}`]: (state, { path, body }) => {
    const found = edited(state, Number(path['note_id']), textIn(body, 'body'))
    return found ? ok(noteOf(found)) : missing
  },

  [`POST ${one}/notes/{note_id}/award_emoji`]: (state, { path, body }) => {
    const name = textIn(body, 'name')
    const is = reacted(state, Number(path['note_id']), name)
    if (is === null) return missing
    if (is === 'there') return refused(404, '404 Award Emoji Name has already been taken Not Found')
    return made({ id: nextId(state), name, user: userOf(state.login) })
  },

  [`GET ${projectPath}/pipelines`]: ({ workflowRuns }, call) => {
    const [ref, sha] = [call.query.get('ref'), call.query.get('sha')]
    const found = workflowRuns
      .filter((run) => ref === null || run.branch === ref)
      .filter((run) => sha === null || run.sha === sha)
      .reverse()
    return pageOf(found.map((run) => pipelineOf(run)))
  },

  [`POST ${projectPath}/pipelines/{pipeline_id}/cancel`]: (state, { path }) => {
    const run = state.workflowRuns.find(({ suite }) => suite === Number(path['pipeline_id']))
    if (!run) return missing
    cancelled(state, run)
    return made(pipelineOf(run))
  },

  [`GET ${projectPath}/repository/commits/{sha}/statuses`]: ({ checks, workflowRuns }, call) => {
    const ref = call.query.get('ref')
    const found = checks.flatMap((check) => {
      const run = workflowRuns.find(({ suite }) => suite === check.suite)
      const isIt = check.sha === call.path['sha'] && (ref === null || run?.branch === ref)
      return isIt ? jobOf(check, run?.branch ?? '') : []
    })
    return pageOf(found)
  },
}

// GitLab for tests, and a server whose queue works on a project there.

export const gitlabToken = 'glpat-TokenOfATest00000'

export const gitlab: FakeDialect = {
  kind: 'gitlab',
  host: 'GitLab',
  adapter: gitlabAdapter,
  token: gitlabToken,
  optionsOf: (place) => ({ kind: 'gitlab', ...place, token: () => gitlabToken }),
  prefix: '/api/v4',
  published: new Published('gitlab'),
  routes,
  graphql: null,
  paging: {
    usual: 20,
    most: 100,
    headersOf: ({ page, pages, size, total }) => ({
      'x-page': String(page),
      'x-next-page': page < pages ? String(page + 1) : '',
      'x-per-page': String(size),
      'x-total': String(total),
      'x-total-pages': String(pages),
    }),
  },
  list: `GET ${requests}`,
  one: `GET ${requests}/{merge_request_iid}`,
  activities: `GET ${requests}/{eventable_id}/resource_label_events`,
  ci: 'GET /projects/{id}/pipelines',
  comment: `POST ${requests}/{noteable_id}/notes`,
  mark: null,
  refusalOf: ({ authorization }) =>
    authorization === `Bearer ${gitlabToken}` ? null : '401 Unauthorized',
  isGitUser: (_, token) => token === gitlabToken,
  pullRef: (number) => `refs/merge-requests/${number}/head`,
  ghost: 'ghost',
  limited: { status: 429, body: { message: 'Retry later' } },
  webhookOf,
  headersOf: (event, _, secret) => ({ 'x-gitlab-event': event, 'x-gitlab-token': secret }),
  page: '-/merge_requests',
  hasStatus: false,
  hasTriage: false,
  // An objection counts always.
  isApproved: (pull, state) => {
    const { approvals, objections } = countedReviews(pull, ({ user }) => mayWrite(state, user))
    return objections === 0 && approvals >= (state.rules?.approvals ?? 0)
  },
  others: [],
}

export const gitlabWorld = (options?: CodeHostWorldOptions) => codeHostWorld(gitlab, options)
