/** Where the secrets of a code host are: in a file, or in a variable. They are read when they are used. */

import { resolve } from 'node:path'
import { textAt } from '../terminal/files.ts'
import { withoutCredentials } from '../terminal/text.ts'
import type { Secret, HostOptions, CodeHostOptions } from '../hosting/options.ts'
import type { Repository } from '../identity/queue-ref.ts'
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

/** Throws `BadInput` if there is no token. */
function tokenOf(written: WrittenSecrets, kind: Kind, from: From): Secret {
  const { expected, tokenVariable } = names[kind]
  if (written.tokenFile !== undefined) return fileSecret(written.tokenFile, kind, from)
  const where = written.tokenVariable ?? tokenVariable
  const token = from.env[where] ?? ''
  if (token !== '') return () => token
  throw new BadInput(kind, [{ where, expected, actual: 'nothing' }])
}

/** The secrets of webhooks: those of the files, and the one of the variable. */
function hookSecretsOf(
  { webhookSecretFiles = [] }: WrittenSecrets,
  kind: Kind,
  from: From,
): Secret[] {
  const hook = from.env[names[kind].hookVariable] ?? ''
  return [
    ...webhookSecretFiles.map((path) => fileSecret(path, kind, from)),
    ...(hook === '' ? [] : [() => hook]),
  ]
}

/** A file that is missing, or that proves nothing, is found at the start, not at the first request. */
function fileSecret(path: string, kind: Kind, { folder }: From): Secret {
  const read = (): string => {
    const secret = (textAt(resolve(folder, path)) ?? '').trim()
    if (secret !== '') return secret
    const expected = 'a file with a secret, that can be read'
    throw new BadInput(kind, [{ where: path, expected, actual: 'nothing' }])
  }
  read()
  return read
}

// What holds for a queue on a code host with an API, if nothing else is said.

/** The host's own CI tests. */
export const hostTests = { kind: 'host', noCiMinutes: 15 } as const

export const pollSecondsOfCodeHosts = 30

// How a repository on a host is reached: as an option of `serve` names it, or an entry of mergeyard.json.

export type Kind = CodeHostOptions['kind']
export const kinds = ['github', 'gitea', 'gitlab'] as const satisfies readonly Kind[]

export type WrittenCodeHost = WrittenSecrets & {
  /** `owner/name` on GitHub, else its address as a browser shows it: `https://codeberg.org/acme/shop`. */
  readonly repo: string
  // Only GitHub has these.
  readonly host?: string
  readonly api?: string
  readonly app?: { readonly id: number; readonly keyFile: string }
}

type Names = {
  readonly tokenVariable: string
  readonly hookVariable: string
  /** What is expected in the variable of the token. */
  readonly expected: string
  readonly apiPath: string
  /** Groups may be in groups. */
  readonly hasSubgroups: boolean
}

const names: Readonly<Record<Kind, Names>> = {
  github: {
    tokenVariable: 'MERGEYARD_GITHUB_TOKEN',
    hookVariable: 'MERGEYARD_GITHUB_WEBHOOK_SECRET',
    expected: 'a token for the API of GitHub in this variable, or a GitHub App in mergeyard.json',
    apiPath: '/api/v3',
    hasSubgroups: false,
  },
  gitea: {
    tokenVariable: 'MERGEYARD_GITEA_TOKEN',
    hookVariable: 'MERGEYARD_GITEA_WEBHOOK_SECRET',
    expected: 'a token for the API of Gitea or Forgejo in this variable',
    apiPath: '/api/v1',
    hasSubgroups: false,
  },
  gitlab: {
    tokenVariable: 'MERGEYARD_GITLAB_TOKEN',
    hookVariable: 'MERGEYARD_GITLAB_WEBHOOK_SECRET',
    expected: 'a token for the API of GitLab in this variable',
    apiPath: '/api/v4',
    hasSubgroups: true,
  },
}

/** Where the token of a kind of host is, if nothing else is said. */
export const tokenVariableOf = (kind: Kind): string => names[kind].tokenVariable

/**
 * Where the repository is, for git, for the API, and what the queue is called. Throws `BadInput`, also if credentials
 * are missing. Secrets are read now, and again when they are used.
 */
export function placeOn(kind: Kind, written: WrittenCodeHost, from: From) {
  const { app } = written
  const { url, api, repository } =
    kind === 'github' ? placeOnGitHub(written) : placeByAddress(written.repo, kind)
  const { owner, name } = repository
  const webhookSecrets = hookSecretsOf(written, kind, from)
  const common = { owner, name, api, webhookSecrets }
  const token = (): Secret => tokenOf(written, kind, from)
  const codeHost: CodeHostOptions =
    kind !== 'github'
      ? { kind, ...common, token: token() }
      : {
          kind,
          ...common,
          auth: app
            ? { kind: 'app', id: app.id, key: fileSecret(app.keyFile, kind, from) }
            : { kind: 'token', token: token() },
        }
  return { url, repository, codeHost }
}

function placeOnGitHub({ repo, ...written }: WrittenCodeHost) {
  const host = (written.host ?? 'github.com').toLowerCase()
  const [owner = '', name = ''] = repo.split('/')
  const api =
    host === 'github.com' ? 'https://api.github.com' : `https://${host}${names.github.apiPath}`
  const url = `https://${host}/${owner}/${name}.git`
  return { url, api: (written.api ?? api).replace(/\/+$/, ''), repository: { host, owner, name } }
}

function placeByAddress(address: string, kind: Kind) {
  const { apiPath, hasSubgroups } = names[kind]
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
  const { origin, hostname: host } = url
  const api = `${origin}${apiPath}`
  return { url: `${origin}/${owner}/${name}.git`, api, repository: { host, owner, name } }
}

export function isRepository(text: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(text)
}

/** Of GitHub Enterprise Server: `https://github.example.com/api/v3`. */
const apiVariable = 'MERGEYARD_GITHUB_API'

/** The queue of `--github owner/name`, `--gitea <address>` or `--gitlab <address>`. */
export function queueOn(
  kind: Kind,
  repo: string,
  from: From,
): Omit<HostOptions, 'set' | 'ref'> & { readonly ref: Repository } {
  const api = kind === 'github' ? (from.env[apiVariable] ?? '') : ''
  const written = api === '' ? { repo } : { repo, api, host: new URL(api).hostname }
  const { url, repository, codeHost } = placeOn(kind, written, from)
  return {
    ref: repository,
    url: api === '' ? url : `${new URL(api).origin}/${repo}.git`,
    codeHost,
    tests: hostTests,
    pollMs: pollSecondsOfCodeHosts * 1_000,
  }
}
