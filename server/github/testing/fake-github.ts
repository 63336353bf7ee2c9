/** Whose requests the fake GitHub answers. */

import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { installationToken, repositoryRoutes } from './repository-routes.ts'
import type {
  FakeDialect,
  Webhook,
  Happening,
  PullAction,
} from '../../code-host/testing/dialect.ts'
import { linkOf, ok } from '../../code-host/testing/call.ts'
import {
  codeHostWorld,
  type CodeHostWorld,
  type CodeHostWorldOptions,
} from '../../code-host/testing/code-host-world.ts'
import {
  countedReviews,
  mayWrite,
  isoOf,
  type FakeCheck,
  type FakeState,
} from '../../code-host/testing/state.ts'
import { githubAdapter } from '../adapter.ts'
import { published } from './shapes.ts'
import { checkRoutes, activityRoutes, pullRoutes, commentRoutes } from './routes.ts'
import { merged, simplest, quickToCompile } from '../../code-host/testing/published.ts'

/** The personal token that the fake accepts. */
export const personalToken = 'github_pat_PersonalTokenOfATest0000000000'

function isKnown(token: string): boolean {
  return token === personalToken || token === installationToken
}

const bad = 'Bad credentials'

/** Why the credentials are not accepted; null if they are. Only an App itself may ask about its installations. */
function refusalOf(
  header = '',
  { path, now }: { readonly path: string; readonly now: number },
): string | null {
  const [kind = '', token = ''] = header.split(' ')
  if (!['token', 'bearer'].includes(kind.toLowerCase())) return bad
  if (/^\/app\b|\/installation$/.test(path)) return faultOfJwt(token, now)
  return isKnown(token) ? null : bad
}

const longestSeconds = 600

/** What GitHub says about the token that an App makes for itself; null if it is fine. The signature is not checked. */
function faultOfJwt(token: string, now: number): string | null {
  const [, payload = '', signature = ''] = token.split('.')
  if (signature === '') return 'A JSON web token could not be decoded'
  const { iat = NaN, exp = NaN }: { readonly iat?: number; readonly exp?: number } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  )
  const at = Math.floor(now / 1_000)
  if (exp > at + longestSeconds) {
    return "'Expiration time' claim ('exp') is too far in the future"
  }
  if (!(exp > at))
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
  return iat <= at
    ? null
    : "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
}

// GitHub for tests, and a server whose queue works on a repository there.

const repo = '/repos/{owner}/{repo}'

/** GraphQL says it with the status of a success. */
const usedUp = {
  type: 'RATE_LIMIT',
  code: 'graphql_rate_limit',
  message: 'API rate limit already exceeded for installation ID 77.',
}

export const github: FakeDialect = {
  kind: 'github',
  host: 'GitHub',
  adapter: githubAdapter,
  token: personalToken,
  optionsOf: (place, auth = { kind: 'token', token: () => personalToken }) => ({
    kind: 'github',
    ...place,
    auth,
  }),
  prefix: '/api/v3',
  published,
  routes: {
    ...pullRoutes,
    ...activityRoutes,
    ...checkRoutes,
    ...commentRoutes,
    ...repositoryRoutes,
  },
  graphql: { path: '/api/graphql', limited: ok({ errors: [usedUp] }) },
  paging: { usual: 30, most: 100, headersOf: linkOf },
  list: `GET ${repo}/pulls`,
  one: `GET ${repo}/pulls/{pull_number}`,
  activities: `GET ${repo}/issues/{issue_number}/timeline`,
  ci: `GET ${repo}/commits/{ref}/check-runs`,
  comment: `POST ${repo}/issues/{issue_number}/comments`,
  mark: null,
  refusalOf: ({ authorization }, about) => refusalOf(authorization, about),
  isGitUser: (user, token) => user === 'x-access-token' && isKnown(token),
  pullRef: (number) => `refs/pull/${number}/head`,
  ghost: 'ghost',
  limited: {
    status: 403,
    body: { message: 'API rate limit exceeded for installation ID 77.' },
  },
  webhookOf,
  headersOf: (event, body, secret) => ({
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
  page: 'pull',
  hasStatus: true,
  hasTriage: true,
  // An objection counts where an approval is asked for.
  isApproved: (pull, state) => {
    const needed = state.rules?.approvals ?? 0
    const { approvals, objections } = countedReviews(pull, ({ user }) => mayWrite(state, user))
    return needed === 0 || (approvals >= needed && objections === 0)
  },
  others: ['reviewers'],
}

export function githubWorld(options?: CodeHostWorldOptions): Promise<CodeHostWorld> {
  return codeHostWorld(github, options)
}

// Which webhooks GitHub sends about what happens.

const actions: Readonly<Record<PullAction, string>> = {
  opened: 'opened',
  pushed: 'synchronize',
  closed: 'closed',
  reopened: 'reopened',
  drafted: 'converted_to_draft',
  readied: 'ready_for_review',
  labelled: 'labeled',
  unlabelled: 'unlabeled',
}

function webhookOf(happening: Happening, state: FakeState): Webhook {
  const made = eventOf(happening, state)
  const payload = payloadOf(made)
  return { name: made.name, payload, faults: faultsOfPayload(made, payload) }
}

function eventOf(happening: Happening, state: FakeState): HookEvent {
  switch (happening.is) {
    case 'pull': {
      const { number, head: sha, branch: ref, base, isDraft: draft, ...pull } = happening.pull
      const head = { sha, ref }
      const pull_request = { number, state: pull.state, draft, head, base: { ref: base } }
      return hookEvent('pull_request', actions[happening.action], { number, pull_request })
    }
    case 'review': {
      const { number, head: sha, branch: ref } = happening.pull
      const pull_request = { number, head: { sha, ref } }
      return hookEvent('pull_request_review', 'submitted', { pull_request })
    }
    case 'comment': {
      const { id, number, body, user } = happening.comment
      const issue = { number, pull_request: pullLink(number) }
      const comment = { id, body, user: { login: user } }
      return hookEvent('issue_comment', happening.isNew ? 'created' : 'edited', { issue, comment })
    }
    case 'check':
      return checkEvent(happening.check)
    case 'run': {
      const { id, sha, branch, status, conclusion } = happening.run
      const workflow_run = { id, head_sha: sha, head_branch: branch, status, conclusion }
      return hookEvent('workflow_run', 'completed', { workflow_run })
    }
    case 'status': {
      const { id, sha, context, state: is, description } = happening.status
      const by = { date: isoOf(state.now()) }
      const commit = { commit: { author: by, committer: by } }
      return hookEvent('status', null, { id, sha, context, state: is, description, commit })
    }
    case 'push':
      return hookEvent('push', null, { ref: 'refs/heads/main', after: happening.after })
  }
}

function checkEvent({ id, sha, name, status, conclusion, startedAt }: FakeCheck): HookEvent {
  const isOver = status === 'completed'
  const about = { id, head_sha: sha, name, status, conclusion, started_at: isoOf(startedAt) }
  const completed_at = isOver ? isoOf(startedAt) : null
  const check_run = { ...about, completed_at, pull_requests: [] }
  return hookEvent('check_run', isOver ? 'completed' : 'created', { check_run })
}

function hookEvent(name: string, action: string | null, fields: HookEvent['fields']): HookEvent {
  return { name, action, fields }
}

function pullLink(number: number) {
  const url = `https://api.github.com/repos/acme/shop/pulls/${number}`
  const html = `https://github.com/acme/shop/pull/${number}`
  return { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` }
}

// Webhooks as GitHub sends them, by the schemas that are published for them: the fields of the event, and the
// simplest value for whatever else a payload must have.

type Json = Readonly<Record<string, unknown>>

type HookEvent = {
  /** `pull_request`. */
  readonly name: string
  /** `opened`; null for events without actions. */
  readonly action: string | null
  readonly fields: Json
}

const require = createRequire(import.meta.url)
const schemas: {
  readonly definitions: Readonly<Record<string, Json>>
} = require('@octokit/webhooks-schemas')

const ajv = new Ajv({ strict: false, allErrors: true, formats: fullFormats, ...quickToCompile })
ajv.addSchema({ $id: 'webhooks', ...schemas })
const compiled = new Map<string, ValidateFunction>()

const owner = { login: 'acme' }
const repository = { name: 'shop', full_name: 'acme/shop', owner }

function payloadOf(event: HookEvent): Json {
  return merged(simplest({ $ref: nameOf(event) }, definitionAt), { repository, ...event.fields })
}

function nameOf({ name, action }: HookEvent): string {
  return `${name}$${action ?? 'event'}`
}

function definitionAt(ref: string): Json {
  const found = schemas.definitions[ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`nothing is published about ${ref}`)
  return found
}

/** What does not fit the schema that is published for the event. */
function faultsOfPayload(event: HookEvent, payload: Json): string[] {
  const $ref = `webhooks#/definitions/${nameOf(event)}`
  const validate = compiled.get($ref) ?? ajv.compile({ $ref })
  compiled.set($ref, validate)
  if (validate(payload)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${nameOf(event)}: ${instancePath} ${message}`,
  )
}
