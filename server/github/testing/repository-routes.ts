/** The repository, its rules, its people, and whom the credentials belong to. */

import { made, ok, pageOf, refused, type Route } from '../../code-host/testing/call.ts'
import { appNumber, appOf, filled, repositoryOf, userOf } from './shapes.ts'
import { isoOf } from '../../code-host/testing/state.ts'

const repo = '/repos/{owner}/{repo}'
const hourMs = 3_600_000

/** The token that the fake gives to an installation. */
export const installationToken = 'ghs_InstallationTokenOfATest00000000000'

export const repositoryRoutes: Readonly<Record<string, Route>> = {
  'GET /user': ({ login }) => ok(filled('public-user', { login })),
  'GET /app': ({ login }) => {
    const slug = login.replace('[bot]', '')
    return ok(filled('integration', { slug, owner: userOf('acme') }))
  },
  'GET /apps/{app_slug}': (_, { path }) => ok(appOf(path['app_slug'] ?? '')),
  [`GET ${repo}`]: (state) => ok(repositoryOf(state)),
  [`GET ${repo}/installation`]: () =>
    ok(filled('installation', { id: 77, account: userOf('acme'), app_slug: 'mergeyard' })),
  'POST /app/installations/{installation_id}/access_tokens': ({ now }) => {
    const permissions = { contents: 'write', metadata: 'read' }
    const expires_at = isoOf(now() + hourMs)
    return made(filled('installation-token', { token: installationToken, expires_at, permissions }))
  },

  [`GET ${repo}/rules/branches/{branch}`]: ({ rules }) => {
    if (rules?.from !== 'ruleset') return ok([])
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
    return pageOf([checks, reviews, ...simple])
  },

  [`GET ${repo}/branches/{branch}/protection`]: ({ rules, permissions }) => {
    if (!permissions.admin) return refused(403, 'Resource not accessible by integration')
    if (rules?.from !== 'protection') return refused(404, 'Branch not protected')
    const app_id = rules.app === undefined ? null : appNumber(rules.app)
    const checks = rules.checks.map((context) => ({ context, app_id }))
    const reviews = { required_approving_review_count: rules.approvals }
    const protection = {
      required_status_checks: filled('protected-branch-required-status-check', {
        contexts: [...rules.checks],
        checks,
      }),
      required_pull_request_reviews: filled('protected-branch-pull-request-review', reviews),
    }
    return ok(filled('branch-protection', protection))
  },

  [`GET ${repo}/collaborators/{username}/permission`]: ({ people, permissions }, { path }) => {
    if (!permissions.push) {
      return refused(403, 'Must have push access to view collaborator permission.')
    }
    const login = path['username'] ?? ''
    const role = people.get(login) ?? 'read'
    // Two roles have no permission of their own.
    const permission = { triage: 'read', maintain: 'write' }[role] ?? role
    const body = { permission, role_name: role }
    return ok(filled('repository-collaborator-permission', body))
  },
}
