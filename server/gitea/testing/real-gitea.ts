/**
 * A repository on a real Gitea or Forgejo, with a queue, people and a CI. The environment says where it is:
 * `MERGEYARD_GITEA`, its address, and `MERGEYARD_GITEA_TOKENS`, `owner=..,queue=..,writer=..,reader=..`:
 * the tokens of an account that may make repositories, of the queue's account, and of two people.
 */

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { RecordedSettings } from '../../../engine/index.ts'
import { HostedWorld } from '../../hosting/testing/hosted-world.ts'
import { testBranchPrefix } from '../../identity/ids.ts'
import { temporaryFolder } from '../../terminal/testing/temporary-folder.ts'

const people = ['owner', 'queue', 'writer', 'reader'] as const
type Person = (typeof people)[number]

/** The rights that the others get in each repository. */
const rights = { queue: 'admin', writer: 'write', reader: 'read' } as const

export type Place = { readonly url: string; readonly tokens: ReadonlyMap<string, string> }

/** Null: the environment names none. */
export function placeOf(env: NodeJS.ProcessEnv): Place | null {
  const { MERGEYARD_GITEA: url = '', MERGEYARD_GITEA_TOKENS: tokens = '' } = env
  if (url === '' || tokens === '') return null
  const pairs = tokens.split(',').map((pair): [string, string] => {
    const [name = '', token = ''] = pair.split('=')
    return [name, token]
  })
  return { url, tokens: new Map(pairs) }
}

type Fields = Readonly<Record<string, unknown>>

/** A pull request as Gitea shows it. */
export type ShownPull = {
  readonly state: string
  readonly merged: boolean
  readonly merge_commit_sha: string | null
  readonly merged_by: { readonly login: string } | null
  readonly head: { readonly sha: string }
  readonly base: { readonly ref: string }
  readonly labels: readonly { readonly name: string }[] | null
}

export type Files = Readonly<Record<string, string>>

export type Opening = {
  readonly by?: Person
  readonly title?: string
  readonly body?: string
  readonly branch?: string
  /** Default: `main`. */
  readonly base?: string
}

const label = 'merge-queue'

export class RealGitea {
  readonly queue: HostedWorld
  readonly #place: Place
  readonly #logins: ReadonlyMap<Person, string>
  readonly #repository: string
  readonly #clone = join(temporaryFolder(), 'clone')
  #branches = 0

  private constructor(place: Place, logins: ReadonlyMap<Person, string>, set: RecordedSettings) {
    this.#place = place
    this.#logins = logins
    const [owner, name] = [logins.get('owner') ?? '', `shop-${randomUUID().slice(0, 8)}`]
    this.#repository = `${owner}/${name}`
    const token = (): string => place.tokens.get('queue') ?? ''
    const api = `${place.url}/api/v1`
    this.queue = new HostedWorld({
      tests: { kind: 'host', noCiMinutes: 15 },
      set: { requiredStatuses: ['ci'], mergeMethod: 'merge_commit', ...set },
      host: {
        url: `${place.url}/${this.#repository}.git`,
        pollMs: 500,
        codeHost: { kind: 'gitea', owner, name, api, token, webhookSecrets: [] },
      },
    })
  }

  /** Makes a repository with a queue; both end with the test. */
  static async begin(place: Place, set: RecordedSettings = {}): Promise<RealGitea> {
    const logins = new Map<Person, string>()
    for (const person of people) {
      const { login } = await askAs<{ login: string }>(place, person, 'GET', '/user')
      logins.set(person, login)
    }
    const world = new RealGitea(place, logins, set)
    const [, name] = world.#repository.split('/')
    await askAs(place, 'owner', 'POST', '/user/repos', { name, default_branch: 'main' })
    const end = new AbortController()
    onTestFinished(async () => {
      end.abort()
      await world.queue.stop()
      await world.ask('owner', 'DELETE', '')
    })
    for (const [person, permission] of Object.entries(rights)) {
      const login = world.loginOf(person)
      await world.ask('owner', 'PUT', `/collaborators/${login}`, { permission })
    }
    await world.ask('owner', 'PATCH', '', { has_pull_requests: true, allow_manual_merge: true })
    await world.ask('owner', 'POST', '/labels', { name: label, color: '#00aa00' })
    await promisify(execFile)('git', ['init', '-q', '-b', 'main', world.#clone])
    await world.#commit({ 'shop.txt': 'open\n' }, 'The shop')
    await world.git('push', '-q', world.#remoteOf('owner'), 'main')
    await world.queue.start()
    void world.#testBranches(end.signal)
    return world
  }

  loginOf(person: string): string {
    const [, login] = [...this.#logins].find(([each]) => each === person) ?? []
    if (login === undefined) throw new Error(`nobody is called ${person}`)
    return login
  }

  /** Asks the API about the repository, as a person. Throws what Gitea says if it refuses. */
  ask<T = unknown>(by: Person, method: string, path: string, body?: Fields): Promise<T> {
    return askAs<T>(this.#place, by, method, `/repos/${this.#repository}${path}`, body)
  }

  git(...args: readonly string[]): Promise<string> {
    return run(this.#clone, args)
  }

  /** Opens a pull request, and returns its number. */
  async open(files: Files, { by = 'writer', title = 'A change', ...rest }: Opening = {}) {
    const { body = 'Why.', branch = `change-${++this.#branches}`, base = 'main' } = rest
    await this.git('checkout', '-q', '-B', branch, base)
    await this.#commit(files, title)
    await this.git('push', '-q', this.#remoteOf('owner'), branch)
    const opened = await this.ask<{ number: number }>(by, 'POST', '/pulls', {
      title,
      body,
      head: branch,
      base,
    })
    return { number: opened.number, branch }
  }

  /** Pushes one more commit to a branch. */
  async push(branch: string, files: Files): Promise<void> {
    await this.git('checkout', '-q', branch)
    await this.#commit(files, 'More')
    await this.git('push', '-q', this.#remoteOf('owner'), branch)
  }

  async label(number: number, by: Person = 'writer'): Promise<void> {
    const labels = await this.ask<{ id: number; name: string }[]>(by, 'GET', '/labels')
    const ids = labels.filter(({ name }) => name === label).map(({ id }) => id)
    await this.ask(by, 'POST', `/issues/${number}/labels`, { labels: ids })
  }

  comment(number: number, by: Person, body: string): Promise<unknown> {
    return this.ask(by, 'POST', `/issues/${number}/comments`, { body })
  }

  pull(number: number): Promise<ShownPull> {
    return this.ask('reader', 'GET', `/pulls/${number}`)
  }

  /** What the queue's account wrote below a pull request. */
  async said(number: number): Promise<string[]> {
    type Comment = { body: string; user: { login: string } }
    const comments = await this.ask<Comment[]>('reader', 'GET', `/issues/${number}/comments`)
    const login = this.loginOf('queue')
    return comments.filter(({ user }) => user.login === login).map(({ body }) => body)
  }

  /** The commits of main, oldest first, with the files of its tip. */
  async main(): Promise<{ readonly commits: readonly string[]; readonly files: string[] }> {
    await this.git('fetch', '-q', this.#remoteOf('owner'), '+main:refs/seen/main')
    const log = await this.git('rev-list', '--reverse', '--first-parent', 'refs/seen/main')
    const files = await this.git('ls-tree', '-r', '-z', '--name-only', 'refs/seen/main')
    return { commits: log.trim().split('\n'), files: files.split('\0').slice(0, -1) }
  }

  async #commit(files: Files, message: string): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.#clone, path)), { recursive: true })
      writeFileSync(join(this.#clone, path), text)
    }
    await this.git('add', '-A')
    await this.git('commit', '-q', '--allow-empty', '-m', message)
  }

  #remoteOf(person: Person): string {
    const url = new URL(`${this.#place.url}/${this.#repository}.git`)
    url.username = this.loginOf(person)
    url.password = this.#place.tokens.get(person) ?? ''
    return url.href
  }

  /** A CI: each new test branch gets the status `ci`, which fails if its tree has a folder `broken`. */
  async #testBranches(signal: AbortSignal): Promise<void> {
    const done = new Set<string>()
    const refs = `refs/heads/${testBranchPrefix.replace(/[^/]*$/, '')}*`
    while (!signal.aborted) {
      const listed = await this.git('ls-remote', this.#remoteOf('owner'), refs).catch(() => '')
      for (const line of listed.split('\n')) {
        const [sha = '', ref = ''] = line.split('\t')
        if (sha === '' || done.has(ref)) continue
        done.add(ref)
        await this.#test(sha, ref).catch((error: unknown) => this.queue.log.push(String(error)))
      }
      await setTimeout(200)
    }
  }

  async #test(sha: string, ref: string): Promise<void> {
    await this.git('fetch', '-q', this.#remoteOf('owner'), `+${ref}:refs/tests/${sha}`)
    const broken = await this.git('ls-tree', '--name-only', sha, 'broken')
    const state = broken === '' ? 'success' : 'failure'
    await this.ask('owner', 'POST', `/statuses/${sha}`, { context: 'ci', state })
  }
}

async function run(folder: string, args: readonly string[]): Promise<string> {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...who, ...args])
  return stdout
}

async function askAs<T = unknown>(
  { url, tokens }: Place,
  person: Person,
  method: string,
  path: string,
  body?: Fields,
): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `token ${tokens.get(person) ?? ''}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
  const answer: T = text === '' ? null : JSON.parse(text)
  return answer
}
