/** A server whose queue works on a repository of a fake host, and what people do there. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { RecordedSettings } from '../../../engine/index.ts'
import type { Oid } from '../../git/git.ts'
import type { GitHubOptions, HostOptions } from '../../hosting/options.ts'
import { HostedWorld, type WorldOptions } from '../../hosting/testing/hosted-world.ts'
import type { Files, TestRepository } from '../../hosting/testing/test-repository.ts'
import { untilSome } from '../../testing/test-server.ts'
import { temporaryFolder } from '../../terminal/testing/temporary-folder.ts'
import type { FakeDialect } from './dialect.ts'
import { FakeCodeHost } from './fake-code-host.ts'
import { hookSecret, type HookPlan } from './fake-hooks.ts'
import { mergedByButton, written } from './acts.ts'
import { branchHeadOf, change, deleteAccount, openedPull, type FakePull } from './state.ts'
import { ToyCi } from './toy-ci.ts'

export type CodeHostWorldOptions = {
  readonly set?: RecordedSettings
  readonly tests?: HostOptions['tests']
  /** The jobs of the workflow that tests each branch. */
  readonly jobs?: readonly string[]
  /** True: the workflow ends at once; a folder `broken` fails it. */
  readonly isAutomatic?: boolean
  readonly pollMs?: number
  /** Default: the host sends none. */
  readonly webhooks?: HookPlan
  readonly publicUrl?: string
  /** How far the clock of the host is ahead of ours. */
  readonly clockAheadMs?: number
  readonly hold?: WorldOptions['hold']
  readonly files?: WorldOptions['files']
  readonly time?: WorldOptions['time']
  /** The target branch of each queue. Default: `main`. */
  readonly branches?: readonly string[]
  /** GitHub; by default by a token. */
  readonly auth?: GitHubOptions['auth']
}

/** The change of a pull request, where it matters to nobody. */
export const pay: Files = { 'pay.txt': 'twice\n' }
export const label = 'merge-queue'

/** Where the API of a fake knows its repository. */
export const placeAt = (api: string) =>
  ({ owner: 'acme', name: 'shop', api, webhookSecrets: [() => hookSecret] }) as const

export class CodeHostWorld {
  readonly fake: FakeCodeHost
  readonly ci: ToyCi
  readonly queue: HostedWorld

  constructor(parts: Pick<CodeHostWorld, 'fake' | 'ci' | 'queue'>) {
    this.fake = parts.fake
    this.ci = parts.ci
    this.queue = parts.queue
  }

  /** The lines of the server's log. */
  get log(): string[] {
    return this.queue.log
  }

  get repository(): TestRepository {
    return this.fake.state.repository
  }

  /** Opens a pull request for `main`. */
  async open(number: number, files: Files = pay, options: Opening = {}): Promise<FakePull> {
    return openPull(this.fake, number, files, options)
  }

  /** Opens one that asks to merge. */
  async ask(number: number, files?: Files, options: Opening = {}): Promise<FakePull> {
    return this.open(number, files, { labels: [label], ...options })
  }

  label(number: number): void {
    this.change(number, { labels: [label] })
  }

  pull(number: number): FakePull {
    const pull = this.fake.state.pulls.get(number)
    if (!pull) throw new Error(`the fake has no pull request ${number}`)
    return pull
  }

  /** Changes a pull request as a person does on the page. */
  change(number: number, changes: Partial<FakePull>, by = 'ada'): void {
    change(this.fake.state, this.pull(number), { ...changes, by })
    this.fake.hooks.look(this.fake.state)
  }

  /** Reopens a closed one; the host takes over what was pushed to its branch meanwhile. */
  async reopen(number: number, by = 'bob'): Promise<void> {
    const { state, dialect } = this.fake
    const head = branchHeadOf(state, number) ?? this.pull(number).head
    await this.repository.set(dialect.pullRef(number), head)
    this.change(number, { state: 'open', head }, by)
  }

  /** Pushes to the branch of a pull request; by default with force, on top of the target branch. */
  async push(number: number, files: Files, from = 'main'): Promise<Oid> {
    const { branch } = this.pull(number)
    const head = await this.repository.commit(`refs/heads/${branch}`, files, from)
    await this.fake.pushed()
    return head
  }

  deleteAccount(login: string): void {
    deleteAccount(this.fake.state, login, this.fake.dialect.ghost)
  }

  /** Settles when the server has seen everything as it is now. */
  async seen(): Promise<void> {
    const { list } = this.fake.dialect
    const looks = (): number => this.fake.requests.filter(({ name }) => name === list).length
    const before = looks()
    // The first of them may have begun before.
    await untilSome(() => Promise.resolve(looks() > before + 2 || null))
  }

  /** GitLab takes `/merge` for its own: it merges at once, and there is no comment. */
  comment(number: number, user: string, body: string): void {
    const { state, dialect } = this.fake
    if (dialect.kind === 'gitlab' && /^\/merge\b/i.test(body))
      void mergedByButton(state, this.pull(number), { method: 'merge', text: 'By hand' })
    else written(state, number, body, user)
    this.fake.hooks.look(state)
  }

  /** The comments that the queue wrote below a pull request. */
  said(number: number): string[] {
    const { comments, login } = this.fake.state
    return comments
      .filter((comment) => comment.number === number && comment.user === login)
      .map(({ body }) => body)
  }

  /** The last status of the queue on a commit. */
  statusOf(sha: Oid): string | undefined {
    const found = this.fake.state.statuses.findLast((status) => status.sha === sha)
    return found && `${found.state}: ${found.description}`
  }

  /** Sends a webhook of a test's own making. */
  async deliver(event: string, payload: object, secret = hookSecret): Promise<number> {
    const about = { repository: { full_name: 'acme/shop' }, ...payload }
    return this.fake.hooks.send(event, about, secret)
  }
}

/** Starts the fake and a server; both stop when the test ends, and nothing may have broken the published document. */
export async function codeHostWorld(
  dialect: FakeDialect,
  options: CodeHostWorldOptions = {},
): Promise<CodeHostWorld> {
  const {
    jobs = ['ci'],
    isAutomatic = false,
    set,
    pollMs = 100,
    hold,
    files,
    time,
    branches = ['main'],
    publicUrl = null,
  } = options
  const { tests = { kind: 'host', noCiMinutes: 15 } } = options
  const { clockAheadMs = 0 } = options
  const now = (): number => Date.now() + clockAheadMs
  const fake = new FakeCodeHost(dialect, { folder: temporaryFolder(), now })
  const { repository } = fake.state
  await repository.make(files)
  for (const branch of branches.slice(1))
    await repository.set(`refs/heads/${branch}`, await repository.oidOf('main'))
  await fake.listen()
  const ci = new ToyCi(fake, jobs, isAutomatic)
  const queue = new HostedWorld({
    repository,
    tests,
    branches,
    ...(hold ? { hold } : {}),
    ...(time ? { time } : {}),
    set: { requiredStatuses: jobs, mergeMethod: 'merge_commit', ...set },
    codeHost: {
      publicUrl,
      pace: { isThrottled: false, retryAfterMs: 1 },
      intervals: { gapMs: 0, againMs: 1 },
    },
    host: {
      url: `${fake.url}/acme/shop.git`,
      pollMs,
      codeHost: dialect.optionsOf(placeAt(fake.api), options.auth),
    },
  })
  onTestFinished(async () => {
    await queue.stop()
    expect(fake.faults).toEqual([])
    fake.close()
  })
  fake.hooks.plan = options.webhooks ?? 'missing'
  fake.hooks.target = () =>
    queue.isRunning ? `${queue.server.url}/hooks/${fake.dialect.kind}` : null
  await queue.start()
  return new CodeHostWorld({ fake, ci, queue })
}

/** Settles when the request is refused in these words, and the label is gone. */
export async function refused(world: CodeHostWorld, number: number, words: string): Promise<void> {
  await expect.poll(() => world.said(number).join()).toContain(words)
  await expect.poll(() => world.pull(number).labels).not.toContain(label)
  expect(world.queue.states()[number]).not.toBe('MERGED')
}

// Opens a pull request on a fake host, as a person does.

export type Opening = Partial<Pick<FakePull, 'title' | 'body' | 'base' | 'branch'>> &
  Partial<Pick<FakePull, 'isDraft' | 'isFork'>> & {
    readonly by?: string
    readonly labels?: readonly string[]
    /** Who sets the labels. Default: `ada`, who may write. */
    readonly labelledBy?: string
    readonly from?: string
  }

export async function openPull(
  { state, hooks, dialect }: FakeCodeHost,
  number: number,
  files: Files,
  { by = 'bob', labels = [], labelledBy = 'ada', from, ...more }: Opening = {},
): Promise<FakePull> {
  const { repository } = state
  const { isFork = false, base = 'main', branch = `change-${number}` } = more
  if (state.pulls.has(number)) throw new Error(`the fake has a pull request ${number} already`)
  const ref = isFork ? dialect.pullRef(number) : `refs/heads/${branch}`
  const head = await repository.commit(ref, files, from ?? base)
  if (!isFork) await repository.set(dialect.pullRef(number), head)
  const pull = openedPull(state, { body: `Why ${number}.`, ...more, number, head, author: by })
  if (labels.length > 0) change(state, pull, { labels: [...labels], by: labelledBy })
  hooks.look(state)
  return pull
}

// All texts in which a secret could be: arguments, logs, errors, and the data folder.

/** Notes the arguments of every git that the server starts. */
export function watchedGit(): () => string {
  const folder = temporaryFolder()
  const [calls, bin] = [join(folder, 'calls'), join(folder, 'bin')]
  mkdirSync(bin)
  const path = process.env['PATH'] ?? ''
  const next = `PATH="${path}" exec git "$@"`
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >> "${calls}"\n${next}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  process.env['PATH'] = `${bin}:${path}`
  onTestFinished(() => void (process.env['PATH'] = path))
  return () => readFileSync(calls, 'utf8')
}

function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
}

/** Makes every request fail, so that errors are told too, and looks for secrets in all that was written. */
export async function expectHidden(
  { fake, log, queue }: CodeHostWorld,
  calls: () => string,
  secrets: readonly string[],
): Promise<void> {
  fake.close()
  const faults = (): readonly string[] => queue.host().status().faults
  await expect.poll(faults).not.toEqual([])
  const everything = [calls(), log.join(''), faults().join(), ...textsIn(queue.folder)]
  for (const secret of secrets) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([])
  }
  expect(calls()).toContain('push')
  expect(everything.join('')).toContain('/acme/shop.git')
}
