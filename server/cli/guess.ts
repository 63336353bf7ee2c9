/** What `serve` works on if nothing names a queue: what the clone around it tells. */

import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Kind, tokenVariableOf } from './code-hosts.ts'
import { readConfiguration } from './configuration.ts'
import { defaultBranch, detected, kindOf } from './init.ts'
import { addressOfRemote, gitIn, settingsName, topAround } from './place.ts'
import { git, GitFailed } from '../git/git.ts'
import {
  CannotHost,
  type HostOptions,
  namedBySha256,
  refuseUnpushable,
} from '../hosting/options.ts'
import { isLocal, repositoryIn } from '../identity/queue-ref.ts'
import { dataFolder, makeDataFolder } from '../store/data-folder.ts'
import { BadLines } from '../terminal/bad-input.ts'
import { shellWord, withoutCredentials } from '../terminal/text.ts'

export type Guess = {
  readonly hosting: readonly HostOptions[]
  /** What was found and what it was taken for, for people. */
  readonly rows: readonly (readonly string[])[]
  /** Makes the copy that stands in for the repository, unless it is there; null: nothing does. */
  readonly copy: (() => Promise<void>) | null
}

type Asked = {
  readonly command: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** The data folder. */
  readonly data: string
  readonly branch: string | null
  readonly test: string | null
}

const remote = 'origin'

/**
 * The repository that the clone comes from, if this machine may push to it. Else a copy of the clone stands in for it,
 * in the data folder: who only wants to see the queue at work needs no rights, and nothing leaves the machine. Null:
 * the folder is in no work tree. Throws `BadLines`.
 */
export async function guessed(asked: Asked): Promise<Guess | null> {
  const { command, folder, env, data, test } = asked
  const top = topAround(folder)
  if (top === null) return null
  const address = addressOfRemote(folder, remote)
  const copy = join(data, `${basename(top)}.git`)
  // Without a remote the first start has decided: which branch is checked out now says nothing about the queue.
  const own = address === null ? (branchOf(copy) ?? branchOf(folder)) : null
  const branch = asked.branch ?? own ?? defaultBranch(folder, remote)
  const kind = address === null ? null : kindOf(address)
  const hindrance = await hindranceOf(command, address, { kind, branch, env })
  const isCopied = hindrance !== null || address === null
  const place = isCopied
    ? { kind: null, remote, address: copy, branch }
    : { kind, remote, address, branch }
  const path = join(top, settingsName)
  const { queue, rows } = await detected(command, place, { path, test, env })
  if (isCopied) refuseUncopiable(command, top, { copy, branch })
  const named = address !== null && !isLocal(address) ? { repo: repositoryIn(address) } : {}
  const hosting = readConfiguration(path, settingsName, env, { queues: [{ ...named, ...queue }] })
  const standIn = [
    ['stand-in', `a copy of this clone, because ${hindrance}; nothing leaves this machine`],
    ['try it', `git push ${shellWord(copy)} <your branch>:queue/<a name>`],
  ]
  const [repository = [], ...others] = rows
  return {
    hosting,
    copy: isCopied ? () => copyOf(top, copy, { branch, data }) : null,
    rows: [
      ['guessed', `there is no ${settingsName} here, so these are what the clone tells`],
      repository,
      ...(isCopied ? standIn : []),
      ...others,
      ['change', 'with --repo, --branch, --test, or for good: `mergeyard init` writes a file'],
    ],
  }
}

type Target = {
  readonly kind: Kind | null
  readonly branch: string
  readonly env: NodeJS.ProcessEnv
}

/** Why the repository that the clone comes from cannot be merged in; null: it can. */
async function hindranceOf(
  command: string,
  address: string | null,
  { kind, branch, env }: Target,
): Promise<string | null> {
  if (address === null) return `it has no remote ${remote}`
  if (kind !== null) {
    const variable = tokenVariableOf(kind)
    const isSet = (env[variable] ?? '') !== ''
    return isSet ? null : `there is no token for ${repositoryIn(address).host} in ${variable}`
  }
  try {
    const { owner, name, host } = repositoryIn(address)
    const ref = { host, owner, name, targetBranch: branch }
    await refuseUnpushable(command, { ref, url: address })
    return null
  } catch (error) {
    if (!(error instanceof CannotHost || error instanceof GitFailed)) throw error
    return `${withoutCredentials(address)} takes no push from here`
  }
}

/** The branch to which HEAD points; null: there is no repository or no such branch, or HEAD is detached. */
function branchOf(repository: string): string | null {
  const isThere = existsSync(repository) && has(repository, 'HEAD')
  const head = isThere ? gitIn(repository, 'symbolic-ref', 'HEAD') : null
  // Not by --short, which is `heads/main` beside a tag of that name.
  return head?.replace(/^refs\/heads\//, '') ?? null
}

type Copied = { readonly branch: string; readonly data: string }

const has = (repository: string, ref: string): boolean =>
  gitIn(repository, 'rev-parse', '--verify', '--quiet', ref) !== null

/** Where a branch of the clone is: as its remote has it, else its own. */
function sourceOf(top: string, branch: string): string | undefined {
  return [`refs/remotes/${remote}/${branch}`, `refs/heads/${branch}`].find((ref) => has(top, ref))
}

/** Throws `BadLines` if there is no copy yet, and none can be made. */
function refuseUncopiable(
  command: string,
  top: string,
  { copy, branch }: { readonly copy: string; readonly branch: string },
): void {
  if (existsSync(copy)) return
  const refuse = (why: string): never => {
    throw new BadLines([`${command}: ${top} ${why}`])
  }
  if (gitIn(top, 'rev-parse', '--is-shallow-repository') === 'true')
    refuse('is a shallow clone, which lacks older commits: fetch them with `git fetch --unshallow`')
  if (gitIn(top, 'rev-parse', '--show-object-format') === 'sha256') refuse(namedBySha256)
  if (sourceOf(top, branch) !== undefined) return
  if (!has(top, 'HEAD')) refuse('has no commit yet, so there is no branch to merge into')
  refuse(`has no branch ${branch}: name the one to merge into with --branch`)
}

/** What was copied before has merged since, and is kept: a branch is only added. */
async function copyOf(top: string, copy: string, { branch, data }: Copied): Promise<void> {
  const fetch = (into: string, ...refs: readonly string[]): Promise<unknown> =>
    git(['-C', into, 'fetch', '--quiet', '--no-tags', top, ...refs])
  const head = `refs/heads/${branch}`
  const source = sourceOf(top, branch)
  if (existsSync(copy)) {
    if (source !== undefined && !has(copy, head)) await fetch(copy, `${source}:${head}`)
    return
  }
  makeDataFolder(dataFolder(data))
  // Under another name until it is whole: a copy that is there is never made again.
  const draft = `${copy}.incomplete`
  rmSync(draft, { recursive: true, force: true })
  await git(['init', '--quiet', '--bare', draft])
  await fetch(draft, '+refs/heads/*:refs/heads/*')
  if (source !== undefined && source !== head) await fetch(draft, `+${source}:${head}`)
  await git(['-C', draft, 'symbolic-ref', 'HEAD', head])
  renameSync(draft, copy)
}
