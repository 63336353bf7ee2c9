/** Where the secrets of a code host are: in a file, or in a variable. They are read when they are used. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withoutCredentials } from '../git/git.ts'
import type { Secret, GitHubOptions, HostOptions, ForgeOptions } from '../hosting/options.ts'
import { BadInput } from '../terminal/bad-input.ts'

type WrittenSecrets = {
  readonly tokenFile?: string
  readonly tokenVariable?: string
  readonly webhookSecretFiles?: readonly string[]
}

export type From = {
  /** Files are relative to it. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** What names the secrets of a kind of host. */
type SecretNames = {
  /** For people: `github`. */
  readonly kind: string
  readonly tokenVariable: string
  readonly hookVariable: string
  /** What is expected in the variable of the token. */
  readonly expected: string
}

/** Throws `BadInput` if there is no token. */
function tokenOf(written: WrittenSecrets, names: SecretNames, from: From): Secret {
  const { tokenFile, tokenVariable } = written
  if (tokenFile !== undefined) return fileSecret(tokenFile, names, from)
  const where = tokenVariable ?? names.tokenVariable
  const token = from.env[where] ?? ''
  if (token !== '') return () => token
  const { kind, expected } = names
  throw new BadInput(kind, [{ where, expected, actual: 'nothing' }])
}

/** The secrets of webhooks: those of the files, and the one of the variable. */
function hookSecretsOf(
  { webhookSecretFiles = [] }: WrittenSecrets,
  names: SecretNames,
  from: From,
): Secret[] {
  const hook = from.env[names.hookVariable] ?? ''
  return [
    ...webhookSecretFiles.map((path) => fileSecret(path, names, from)),
    ...(hook === '' ? [] : [() => hook]),
  ]
}

/** A file that is missing is found at the start, not at the first request. */
function fileSecret(
  path: string,
  { kind }: Pick<SecretNames, 'kind'>,
  { folder }: Pick<From, 'folder'>,
): Secret {
  const read = (): string => {
    try {
      return readFileSync(resolve(folder, path), 'utf8').trim()
    } catch {
      const expected = 'a file that can be read'
      throw new BadInput(kind, [{ where: path, expected, actual: 'nothing' }])
    }
  }
  read()
  return read
}

// What holds for a queue on a code host with an API, if nothing else is said.

/** The host's own CI tests. */
export const hostTests = { kind: 'host', noCiMinutes: 15 } as const

export const pollSecondsOfForges = 30

// How a repository on GitHub is reached: from `--github`, or from `github` in mergeyard.json.

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

// How a repository on Gitea, Forgejo or GitLab is reached: by its address, as a browser shows it.

export type WrittenAddress = WrittenSecrets & {
  /** `https://codeberg.org/acme/shop`. */
  readonly repo: string
}

export type AddressedKind = Exclude<ForgeOptions['kind'], 'github'>

type Kind = SecretNames & {
  readonly apiPath: string
  /** Groups may be in groups. */
  readonly hasSubgroups: boolean
}

export const giteaTokenVariable = 'MERGEYARD_GITEA_TOKEN'
export const gitlabTokenVariable = 'MERGEYARD_GITLAB_TOKEN'

const kinds: Readonly<Record<AddressedKind, Kind>> = {
  gitea: {
    kind: 'gitea',
    tokenVariable: giteaTokenVariable,
    hookVariable: 'MERGEYARD_GITEA_WEBHOOK_SECRET',
    expected: 'a token for the API of Gitea or Forgejo in this variable',
    apiPath: '/api/v1',
    hasSubgroups: false,
  },
  gitlab: {
    kind: 'gitlab',
    tokenVariable: gitlabTokenVariable,
    hookVariable: 'MERGEYARD_GITLAB_WEBHOOK_SECRET',
    expected: 'a token for the API of GitLab in this variable',
    apiPath: '/api/v4',
    hasSubgroups: true,
  },
}

/** Where the token of a kind of host is, if nothing else is said. */
export function tokenVariableOf(kind: ForgeOptions['kind']): string {
  return kind === 'github' ? tokenVariable : kinds[kind].tokenVariable
}

/** Where the repository is, for git, for the API, and what the queue is called. Throws `BadInput`. */
export function placeByAddress(is: AddressedKind, written: WrittenAddress, from: From) {
  const kind = kinds[is]
  const { origin, host, owner, name } = partsOf(written.repo, kind)
  const options = {
    owner,
    name,
    api: `${origin}${kind.apiPath}`,
    token: tokenOf(written, kind, from),
    webhookSecrets: hookSecretsOf(written, kind, from),
  }
  const forge: ForgeOptions = { kind: is, ...options }
  return { url: `${origin}/${owner}/${name}.git`, repository: { host, owner, name }, forge }
}

function partsOf(address: string, { kind, hasSubgroups }: Kind) {
  const url = URL.canParse(address) ? new URL(address) : null
  const [name = '', ...groups] = (url?.pathname ?? '')
    .replace(/^\//, '')
    .replace(/(\.git)?\/?$/, '')
    .split('/')
    .reverse()
  const owner = groups.reverse().join('/')
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === ''
  if (!isPlain || name === '' || owner === '' || (owner.includes('/') && !hasSubgroups)) {
    const expected = 'the address of the repository, such as https://git.example.com/acme/shop'
    // An address can hold a password.
    const actual = JSON.stringify(withoutCredentials(address))
    throw new BadInput(kind, [{ where: 'repo', expected, actual }])
  }
  return { origin: url.origin, host: url.hostname, owner, name }
}

/** The queue of `--gitea <address>` or `--gitlab <address>`. */
export function queueByAddress(
  is: AddressedKind,
  repo: string,
  { branch, ...from }: From & { readonly branch: string },
): Omit<HostOptions, 'set'> {
  const { url, repository, forge } = placeByAddress(is, { repo }, from)
  return {
    ref: { ...repository, targetBranch: branch },
    url,
    forge,
    tests: hostTests,
    pollMs: pollSecondsOfForges * 1_000,
  }
}
