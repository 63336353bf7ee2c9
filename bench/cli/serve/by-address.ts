/** How a repository on Gitea, Forgejo or GitLab is reached: by its address, as a browser shows it. */

import { withoutCredentials } from '../../../server/git/git.ts'
import type { ForgeOptions, HostOptions } from '../../../server/hosting/options.ts'
import { BadInput } from '../../../terminal/bad-input.ts'
import { hostTests, pollSecondsOfForges } from './forge-defaults.ts'
import {
  hookSecretsOf,
  tokenOf,
  type From,
  type SecretNames,
  type WrittenSecrets,
} from './secrets.ts'

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
