/** What `mergeyard serve` and `mergeyard.json` say about a queue that this server works on itself. */

import type { RecordedSettings } from '../../engine/index.ts'
import { type QueueRef, isLocal, localPath } from '../identity/queue-ref.ts'
import type { TestSettings } from '../runner/command-runner.ts'
import type { TargetsOptions } from '../targets/matching.ts'
import { inScratch } from '../terminal/files.ts'
import { shellWord, withoutCredentials } from '../terminal/text.ts'
import { git, refuseOldGit, runGit, type Oid } from '../git/git.ts'
import { Mirror, type GitAccess } from '../git/mirror.ts'
import { commitTree } from '../git/objects.ts'
import { committer } from '../git/snapshot.ts'

export type CommandTests = Omit<TestSettings, 'hidden'> & {
  readonly kind: 'command'
  /** Runs in a work tree with `/bin/sh`; its exit code is the verdict. */
  readonly run: string
}

/** Somebody else tests: they fetch the test branches, and report over the API. */
type ExternalTests = { readonly kind: 'external' }

/** The host's own CI tests the test branches, and the queue believes its verdicts. */
type HostTests = {
  readonly kind: 'host'
  /** A test branch for which nothing has begun after this time makes the queue pause. */
  readonly noCiMinutes: number
  /** True: a run in which every required check was skipped has passed. */
  readonly allowSkipped?: boolean
}

/** Read when it is needed, so that a secret is in no object that could be shown. */
export type Secret = () => string

/** How the API of a code host is reached. */
type ApiOptions = {
  /** On GitLab the groups above the project: `acme/tools`. */
  readonly owner: string
  readonly name: string
  /** `https://api.github.com`, or `https://<host>/api/v3` of GitHub, `v1` of Gitea and Forgejo, `v4` of GitLab. */
  readonly api: string
  /** Those that sign its webhooks: more than one while a secret is being replaced. */
  readonly webhookSecrets: readonly Secret[]
}

export type GitHubOptions = ApiOptions & {
  readonly kind: 'github'
  readonly auth:
    | { readonly kind: 'token'; readonly token: Secret }
    | { readonly kind: 'app'; readonly id: number; readonly key: Secret }
}

/** Of Forgejo too. */
export type GiteaOptions = ApiOptions & { readonly kind: 'gitea'; readonly token: Secret }

export type GitLabOptions = ApiOptions & { readonly kind: 'gitlab'; readonly token: Secret }

export type CodeHostOptions = GitHubOptions | GiteaOptions | GitLabOptions

const pages = { github: 'pull', gitea: 'pulls', gitlab: '-/merge_requests' } as const

type Place = Pick<CodeHostOptions, 'kind' | 'api' | 'owner' | 'name'>

/** The page of a pull request on its host, at the scheme, the port and the path of its API. */
export function pageOfPull({ kind, api, owner, name }: Place, number: number): string {
  const isBelow = /\/api\/v\d+\/?$/
  const root = isBelow.test(api) ? api.replace(isBelow, '') : api.replace('://api.', '://')
  const path = [...owner.split('/'), name].map(encodeURIComponent).join('/')
  return `${root}/${path}/${pages[kind]}/${number}`
}

/** The label by which people submit, if nobody names another. */
export const labelOfNew = 'merge-queue'

/**
 * The settings of a new queue with a repository: the label is short, it decides by what its tests have shown, and nobody gets pull
 * requests for test branches who has not asked for them. A queue that is there already keeps what it has.
 */
export function settingsOfNew(set: RecordedSettings): RecordedSettings {
  return {
    policy: 'adaptive',
    createPrsForTestingBranches: false,
    tipTestMode: 'policy',
    enqueueingLabel: labelOfNew,
    ...set,
  }
}

export type HostOptions = {
  readonly ref: QueueRef
  /** A path, or an address that git understands. */
  readonly url: string
  /** Absent: a repository without pull requests of its own. */
  readonly codeHost?: CodeHostOptions
  readonly tests: CommandTests | ExternalTests | HostTests
  /** Where the impacted targets come from; absent: from the API. */
  readonly targets?: TargetsOptions
  /** The settings that the queue gets at the start, if it has others. */
  readonly set: RecordedSettings
  /** Files in which its secrets are, so that no test command sees them. */
  readonly secretFiles?: readonly string[]
  /** How often the repository is polled, in milliseconds. */
  readonly pollMs: number
}

// Whether a server can work on a repository at all, found out before anything is written.

/** The server cannot work on this queue. The message says what to do. */
export class CannotHost extends Error {
  override readonly name = 'CannotHost'
}

/**
 * Rejects with `CannotHost` or `GitFailed` if there is no git, no repository, no target branch, or one that nobody can
 * push to.
 */
export async function refuseUnworkable(
  options: HostOptions,
  access: GitAccess | null = null,
): Promise<void> {
  const { ref, url } = options
  await refuseOldGit()
  // Only reads, so it needs no folder.
  const refs = await new Mirror('', url, access ? { access } : {}).branches()
  const tip = refs.get(`refs/heads/${ref.targetBranch}`)
  if (tip !== undefined) {
    refuseSha256(url, tip)
    await refuseShallow(options)
    return refuseCheckedOut(options)
  }
  const branches = [...refs.keys()].map((name) => name.slice('refs/heads/'.length))
  const known =
    branches.length > 0
      ? `it has ${branches.slice(0, 5).join(', ')}; name the one to merge into with --branch, or as targetBranch in a file`
      : 'it has none; push it first'
  throw new CannotHost(`${withoutCredentials(url)} has no branch ${ref.targetBranch}: ${known}`)
}

export const namedBySha256 = 'names its commits by SHA-256: Mergeyard knows only names by SHA-1'

/** Throws `CannotHost`: mirrors and the work trees of runs hold objects with names of SHA-1. */
export function refuseSha256(url: string, tip: Oid): void {
  if (tip.length <= 40) return
  throw new CannotHost(`${withoutCredentials(url)} ${namedBySha256}`)
}

/**
 * Asks for the right to push with an empty commit, which is not sent; and without the settings of a clone, as the server
 * pushes. Rejects with `CannotHost` or `GitFailed`.
 */
export async function refuseUnpushable(
  command: string,
  options: Pick<HostOptions, 'ref' | 'url'>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await refuseCheckedOut(options)
  await inScratch(command, async (folder) => {
    const at = ['--git-dir', folder]
    await git(['init', '--quiet', '--bare', folder])
    const tree = (await git([...at, 'mktree'])).trim()
    const commit = { tree, parents: [], message: command, author: committer, date: '0 +0000' }
    const spec = `${await commitTree(folder, commit)}:refs/heads/mergeyard/doctor`
    await git([...at, 'push', '--dry-run', '--porcelain', options.url, spec], { env })
  })
}

/** Nothing can be merged without the commits that a shallow clone lacks. Rejects with `CannotHost`. */
export async function refuseShallow({ url }: Pick<HostOptions, 'url'>): Promise<void> {
  if (!isLocal(url)) return
  const folder = localPath(url)
  if ((await git(['-C', folder, 'rev-parse', '--is-shallow-repository'])).trim() === 'false') return
  throw new CannotHost(
    `${url} is a shallow clone, which lacks older commits: name the repository that it is cloned from, in a clone ` +
      `with --repo origin, or fetch the rest with \`git -C ${shellWord(folder)} fetch --unshallow\``,
  )
}

/** Git refuses a push to a branch that is checked out, as `main` is in most clones. Rejects with `CannotHost`. */
async function refuseCheckedOut({ ref, url }: Pick<HostOptions, 'ref' | 'url'>): Promise<void> {
  if (!isLocal(url)) return
  const folder = localPath(url)
  const at = ['-C', folder]
  const trees = await git([...at, 'worktree', 'list', '--porcelain'])
  if (!trees.split('\n').includes(`branch refs/heads/${ref.targetBranch}`)) return
  // Without the settings of the user, as the push is made.
  const setting = 'receive.denyCurrentBranch'
  const { stdout } = await runGit([...at, 'config', '--local', '--get', setting])
  if (['ignore', 'warn', 'updateinstead'].includes(stdout.trim().toLowerCase())) return
  throw new CannotHost(
    `${url} has ${ref.targetBranch} checked out, and git refuses a push to that: in a clone name its origin with ` +
      `--repo origin, or any bare repository, or let pushes change the work tree with ` +
      `\`git -C ${shellWord(folder)} config ${setting} updateInstead\`, or name another branch with --branch`,
  )
}
