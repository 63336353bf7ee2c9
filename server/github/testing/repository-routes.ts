/** The repository, its rules, its people, and whom the credentials belong to. */

import type { Route } from '../../forge/testing/call.ts'
import { appNumber, appOf, filled, repositoryOf, userOf } from './shapes.ts'
import { isoOf } from '../../forge/testing/state.ts'

const repo = '/repos/{owner}/{repo}'
const hourMs = 3_600_000

/** The token that the fake gives to an installation. */
export const installationToken = 'ghs_InstallationTokenOfATest00000000000'

export const repositoryRoutes: Readonly<Record<string, Route>> = {
  'GET /user': ({ login }) => ({ status: 200, body: filled('public-user', { login }) }),
  'GET /app': ({ login }) => {
    const slug = login.replace('[bot]', '')
    return { status: 200, body: filled('integration', { slug, owner: userOf('acme') }) }
  },
  'GET /apps/{app_slug}': (_, { path }) => ({ status: 200, body: appOf(path['app_slug'] ?? '') }),
  [`GET ${repo}`]: (state) => ({ status: 200, body: repositoryOf(state) }),
  [`GET ${repo}/installation`]: () => ({
    status: 200,
    body: filled('installation', { id: 77, account: userOf('acme'), app_slug: 'mergeyard' }),
  }),
  'POST /app/installations/{installation_id}/access_tokens': ({ now }) => ({
    status: 201,
    body: filled('installation-token', {
      token: installationToken,
      expires_at: isoOf(now() + hourMs),
      permissions: { contents: 'write', metadata: 'read' },
    }),
  }),

  [`GET ${repo}/rules/branches/{branch}`]: ({ rules }) => {
    if (rules?.from !== 'ruleset') return { status: 200, body: [] }
    const set = { ruleset_source_type: 'Repository', ruleset_source: 'acme/shop', ruleset_id: 1 }
    const { app, others = [] } = rules
    const asks = (other: string): boolean => others.includes(other)
    const by = app === undefined ? {} : { integration_id: appNumber(app) }
    const reviewer = {
      file_patterns: ['*'],
      minimum_approvals: 1,
      reviewer: { id: 1, type: 'Team' },
    }
    const simple = [
      ['signatures', 'required_signatures'],
      ['linear history', 'required_linear_history'],
    ].flatMap(([other = '', type]) => (asks(other) ? [{ type, ...set }] : []))
    const checks = {
      type: 'required_status_checks',
      parameters: {
        required_status_checks: rules.checks.map((context) => ({ context, ...by })),
        strict_required_status_checks_policy: false,
      },
      ...set,
    }
    const reviews = {
      type: 'pull_request',
      parameters: {
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: asks('code owners'),
        require_last_push_approval: asks('last push'),
        required_approving_review_count: rules.approvals,
        required_review_thread_resolution: asks('threads'),
        ...(asks('reviewers') ? { required_reviewers: [reviewer] } : {}),
      },
      ...set,
    }
    return { status: 200, items: [checks, reviews, ...simple] }
  },

  [`GET ${repo}/branches/{branch}/protection`]: ({ rules, permissions }) => {
    if (!permissions.admin) {
      return { status: 403, body: { message: 'Resource not accessible by integration' } }
    }
    if (rules?.from !== 'protection') {
      return { status: 404, body: { message: 'Branch not protected' } }
    }
    return {
      status: 200,
      body: filled('branch-protection', {
        required_status_checks: filled('protected-branch-required-status-check', {
          contexts: [...rules.checks],
          checks: rules.checks.map((context) => ({
            context,
            app_id: rules.app === undefined ? null : appNumber(rules.app),
          })),
        }),
        required_pull_request_reviews: filled('protected-branch-pull-request-review', {
          required_approving_review_count: rules.approvals,
        }),
      }),
    }
  },

  [`GET ${repo}/collaborators/{username}/permission`]: ({ people, permissions }, { path }) => {
    if (!permissions.push) {
      const message = 'Must have push access to view collaborator permission.'
      return { status: 403, body: { message } }
    }
    const login = path['username'] ?? ''
    const role = people.get(login) ?? 'read'
    // Two roles have no permission of their own.
    const permission = { triage: 'read', maintain: 'write' }[role] ?? role
    const body = { permission, role_name: role }
    return { status: 200, body: filled('repository-collaborator-permission', body) }
  },
}
