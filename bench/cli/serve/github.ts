/** How a repository on GitHub is reached: from `--github`, or from `github` in mergeyard.json. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { GitHubOptions, HostOptions, Secret } from '../../../server/hosting/options.ts'
import { BadInput } from '../../../sim/scenario/bad-input.ts'

export type WrittenGitHub = {
  /** `owner/name`. */
  readonly repo: string
  readonly host?: string
  readonly api?: string
  readonly tokenFile?: string
  readonly tokenVariable?: string
  readonly app?: { readonly id: number; readonly keyFile: string }
  readonly webhookSecretFiles?: readonly string[]
}

type From = {
  /** Files are relative to it. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

export const tokenVariable = 'MERGEYARD_GITHUB_TOKEN'
/** Of GitHub Enterprise Server: `https://github.example.com/api/v3`. */
const apiVariable = 'MERGEYARD_GITHUB_API'
const hookVariable = 'MERGEYARD_GITHUB_WEBHOOK_SECRET'

export const defaultGitHubPollSeconds = 30
export const hostTests = { kind: 'github', noCiMinutes: 15 } as const

/** The address of the repository for git, and what the API calls it. */
export function addressOf({ repo, host = 'github.com' }: WrittenGitHub) {
  const [owner = '', name = ''] = repo.split('/')
  return { url: `https://${host}/${owner}/${name}.git`, repository: { host, owner, name } }
}

/** Throws `BadInput` if credentials are missing. Secrets are read now, and again when they are used. */
export function githubOptions(written: WrittenGitHub, { folder, env }: From): GitHubOptions {
  const { owner, name } = addressOf(written).repository
  const { host = 'github.com', app, webhookSecretFiles = [] } = written
  const api = host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`
  const secretIn = (path: string): Secret => secretFrom(() => readIn(folder, path))
  const hook = env[hookVariable]
  return {
    owner,
    name,
    api: written.api ?? api,
    auth: app
      ? { kind: 'app', id: app.id, key: secretIn(app.keyFile) }
      : { kind: 'token', token: tokenFrom(written, { folder, env }) },
    webhookSecrets: [
      ...webhookSecretFiles.map((path) => secretIn(path)),
      ...(hook === undefined || hook === '' ? [] : [() => hook]),
    ],
  }
}

function tokenFrom({ tokenFile, tokenVariable: named }: WrittenGitHub, { folder, env }: From) {
  if (tokenFile !== undefined) return secretFrom(() => readIn(folder, tokenFile))
  const variable = named ?? tokenVariable
  const token = env[variable] ?? ''
  if (token !== '') return () => token
  const expected =
    'a token for the API of GitHub in this variable, or a GitHub App in mergeyard.json'
  throw new BadInput('github', [{ where: variable, expected, actual: 'nothing' }])
}

/** A file that is missing is found at the start, not at the first request. */
function secretFrom(read: Secret): Secret {
  read()
  return read
}

function readIn(folder: string, path: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8').trim()
  } catch {
    const expected = 'a file that can be read'
    throw new BadInput('github', [{ where: path, expected, actual: 'nothing' }])
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
    github: githubOptions(written, from),
    tests: hostTests,
    pollMs: defaultGitHubPollSeconds * 1_000,
  }
}
