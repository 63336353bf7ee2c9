/** How a repository on GitHub is reached: from `--github`, or from `github` in mergeyard.json. */

import type { GitHubOptions, HostOptions } from '../../../server/hosting/options.ts'
import { hostTests, pollSecondsOfForges } from './forge-defaults.ts'
import { fileSecret, hookSecretsOf, tokenOf, type From, type WrittenSecrets } from './secrets.ts'

export type WrittenGitHub = WrittenSecrets & {
  /** `owner/name`. */
  readonly repo: string
  readonly host?: string
  readonly api?: string
  readonly app?: { readonly id: number; readonly keyFile: string }
}

export const tokenVariable = 'MERGEYARD_GITHUB_TOKEN'
/** Of GitHub Enterprise Server: `https://github.example.com/api/v3`. */
const apiVariable = 'MERGEYARD_GITHUB_API'

const names = {
  kind: 'github',
  tokenVariable,
  hookVariable: 'MERGEYARD_GITHUB_WEBHOOK_SECRET',
  expected: 'a token for the API of GitHub in this variable, or a GitHub App in mergeyard.json',
}

/** The address of the repository for git, and what the API calls it. */
export function addressOf({ repo, host = 'github.com' }: WrittenGitHub) {
  const [owner = '', name = ''] = repo.split('/')
  return { url: `https://${host}/${owner}/${name}.git`, repository: { host, owner, name } }
}

/** Throws `BadInput` if credentials are missing. Secrets are read now, and again when they are used. */
export function githubOptions(written: WrittenGitHub, from: From): GitHubOptions {
  const { owner, name } = addressOf(written).repository
  const { host = 'github.com', app } = written
  const api = host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`
  return {
    kind: 'github',
    owner,
    name,
    api: written.api ?? api,
    auth: app
      ? { kind: 'app', id: app.id, key: fileSecret(app.keyFile, names, from) }
      : { kind: 'token', token: tokenOf(written, names, from) },
    webhookSecrets: hookSecretsOf(written, names, from),
  }
}

export function isRepository(text: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(text)
}

/** The queue of `--github owner/name`. */
export function queueOnGitHub(
  repo: string,
  { branch, ...from }: From & { readonly branch: string },
): Omit<HostOptions, 'set'> {
  const api = from.env[apiVariable] ?? ''
  const written = api === '' ? { repo } : { repo, api, host: new URL(api).hostname }
  const { url, repository } = addressOf(written)
  return {
    ref: { ...repository, targetBranch: branch },
    url: api === '' ? url : `${new URL(api).origin}/${repo}.git`,
    forge: githubOptions(written, from),
    tests: hostTests,
    pollMs: pollSecondsOfForges * 1_000,
  }
}
