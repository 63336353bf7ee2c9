/** The queues that this server works on itself: their repositories, test runs and merges. */

import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { failureOfTip, type CreateQueue, type RecordedCommand } from '../../engine/index.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import { type Oid, refuseOldGit } from '../git/git.ts'
import { Mirror, type GitAccess } from '../git/mirror.ts'
import { mergeBase } from '../git/objects.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { HostedPorts, HostedRepository } from './hosted-repository.ts'
import type { CodeHost } from './code-host.ts'
import type { HostedQueue, Hosting, Queues } from './hosting.ts'
import { folderOf, type Notes, notesFile, notesIn, type NotesKind } from '../files/notes.ts'
import { beginAnew, pause, snapshotOf, targetMoved, tipOf } from './hosted-parts.ts'
import { wantedOf } from './wanted.ts'
import { settingsOfNew, type HostOptions, CannotHost, refuseUnworkable } from './options.ts'

export type HostsParts = HostedPorts & {
  readonly queues: Queues
  readonly logger: Logger
  /** False: a server goes on with queues that have started; what was set or deleted since then stays so. */
  readonly isStart: boolean
}

/** So long a stop waits for repositories. */
const longestStopMs = 10_000

export class Hosts implements Hosting {
  readonly #parts: HostsParts
  readonly #options: readonly HostOptions[]
  readonly #queues = new Map<string, HostedRepository>()
  /** By the address of the repository. */
  readonly #mirrors = new Map<string, Mirror>()
  /** The hosts of queues that are left out, by the name of the queue. */
  readonly #leftOut = new Map<string, CodeHost>()
  /** Settles when the queues that were deleted or created again are followed. */
  #following: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(options: readonly HostOptions[], parts: HostsParts) {
    this.#options = options
    this.#parts = parts
  }

  /**
   * Opens the repositories, starts the queues if this is a start, and begins to work. Throws
   * `CannotHost`, and then nothing has been begun.
   */
  static async open(options: readonly HostOptions[], parts: HostsParts): Promise<Hosts> {
    const hosts = new Hosts(options, parts)
    const leftOut = pauseLeftOut(options, parts)
    // Most servers have no repositories, and start without what works on them.
    if (options.length === 0) return hosts
    for (const each of options) {
      // One that was there before comes back: until then its status says what is wrong.
      const isKnown = parts.queues.registry.find(nameOfQueue(each.ref)) !== undefined
      const isNew = !isKnown && parts.isStart
      await (isNew ? refuseUnworkable(each, parts.codeHosts?.gitAccess(each)) : refuseOldGit())
    }
    for (const each of options) {
      const mirror = hosts.#mirrors.get(each.url) ?? (await mirrorOf(each, parts))
      hosts.#mirrors.set(each.url, mirror)
      const known = parts.queues.registry.find(nameOfQueue(each.ref))
      if (known && !each.codeHost) await refuseOther(known, mirror, parts.folder)
    }
    for (const each of options) {
      if (parts.isStart) await startQueue(parts, each)
      await hosts.#open(each)
    }
    for (const queue of leftOut) await hosts.#tellLeftOut(queue)
    parts.queues.subscribe(({ queue }) => {
      if (queue) hosts.#follow(nameOfQueue(queue))
    })
    await Promise.all(Array.from(hosts.#queues.values(), (queue) => queue.start()))
    return hosts
  }

  /** Null: there is no such queue, because it was deleted. */
  async #open(options: HostOptions): Promise<HostedRepository | null> {
    const { HostedRepository: Made } = await import('./hosted-repository.ts')
    const all = this.#options
    const mirror = this.#mirrors.get(options.url)
    if (!mirror) throw new Error(`${options.url} has no mirror`)
    const { folder, queues } = this.#parts
    const queue = queues.registry.find(nameOfQueue(options.ref))
    if (!queue) return null
    // The API has created it.
    if (queue.engine.queue.codeHost !== 'groups') await startQueue(this.#parts, options)
    const targetNotes = await this.#notesOf(queue, 'targets')
    // Also what belongs to another queue.
    const hidden = [folder, ...all.flatMap(({ secretFiles = [] }) => secretFiles)]
    const known = { mirror, targetNotes, hidden, ...(await this.#shared(queue, options)) }
    const repository = new Made(options, queue, { ...this.#parts, ...known })
    this.#queues.set(queue.name, repository)
    return repository
  }

  #notesOf(queue: ManagedQueue, of: NotesKind): Promise<Notes> | Notes {
    const { folder, notesOf } = this.#parts
    return notesOf ? notesOf(queue, of) : notesIn(notesFile(folder, queue.ids.start, of))
  }

  /** What a queue shares with the others of its repository, and what is known of that. */
  async #shared(queue: ManagedQueue, { url, codeHost }: HostOptions) {
    const { registry } = this.#parts.queues
    const refs = this.#options.filter((each) => each.url === url).map(({ ref }) => ref)
    const names = refs.map(nameOfQueue).filter((name) => name !== queue.name)
    return {
      notes: await this.#notesOf(queue, codeHost?.kind ?? 'branches'),
      branches: refs.map(({ targetBranch }) => targetBranch),
      others: () => names.flatMap((name) => registry.find(name) ?? []),
    }
  }

  /** Shows of who waits in a queue that is left out why nothing happens, if another queue of its repository is named. */
  async #tellLeftOut(queue: ManagedQueue): Promise<void> {
    const { codeHosts, queues, logger, now } = this.#parts
    const { targetBranch } = queue.ref
    const isBeside = ({ ref }: HostOptions): boolean =>
      nameOfQueue({ ...ref, targetBranch }) === queue.name
    const beside = this.#options.find(isBeside)
    const mirror = beside && this.#mirrors.get(beside.url)
    if (!codeHosts || !mirror) return
    const shared = await this.#shared(queue, beside)
    const known = { queue, mirror, logger, now, ...shared, ...onlyShowing }
    const codeHost = codeHosts.openToShow(beside, known)
    if (!codeHost) return
    this.#leftOut.set(queue.name, codeHost)
    await queues.settled(queue.name)
    await queues.durable()
    void codeHost.show()
  }

  /** After a command of a queue: one that was deleted, or created again, is another one. */
  #follow(name: string): void {
    void this.#leftOut.get(name)?.show()
    if (this.#isCurrent(name)) return this.#queues.get(name)?.schedule()
    const options = this.#options.find(({ ref }) => nameOfQueue(ref) === name)
    if (!options) return
    const { logger } = this.#parts
    const replaced = this.#following.then(() => this.#replace(name, options))
    this.#following = replaced.catch((error: unknown) =>
      logger.error({ err: error, queue: name }, 'this server cannot work on a queue that is new'),
    )
  }

  #isCurrent(name: string): boolean {
    return this.#queues.get(name)?.queue === this.#parts.queues.registry.find(name)
  }

  async #replace(name: string, options: HostOptions): Promise<void> {
    if (this.#isClosed || this.#isCurrent(name)) return
    const deleted = this.#queues.get(name)
    if (deleted) {
      this.#queues.delete(name)
      await deleted.close()
      const words =
        'nobody tests or merges here until it is created again, or this server is started again'
      this.#parts.logger.warn({ queue: name, words }, 'the queue was deleted')
    }
    await (await this.#open(options))?.start()
  }

  of(queue: string): HostedQueue | null {
    return this.#queues.get(queue) ?? null
  }

  get all(): Iterable<HostedQueue> {
    return this.#queues.values()
  }

  /** Ends the runs in progress; settles when nothing is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#following
    const all = [...this.#queues.values(), ...this.#leftOut.values()]
    const mirrors = [...this.#mirrors.values()]
    // A repository may never answer. The next start finds what it did meanwhile, as after a crash.
    const timer = setTimeout(() => {
      for (const mirror of mirrors) mirror.stop()
    }, longestStopMs)
    await Promise.all(all.map((each) => each.close()))
    await Promise.all(mirrors.map((mirror) => mirror.close()))
    clearTimeout(timer)
  }
}

/**
 * A queue on whose repository an earlier start has worked, and this one does not: nobody tests or merges there, so who
 * waits must not time out, can leave, and has to learn why. It goes on when a start names the repository again.
 * Returns these queues.
 */
function pauseLeftOut(options: readonly HostOptions[], parts: HostsParts): ManagedQueue[] {
  const { queues, folder, logger } = parts
  const leftOut: ManagedQueue[] = []
  const named = new Set(options.map(({ ref }) => nameOfQueue(ref)))
  for (const queue of queues.registry.queues) {
    const { name, ids } = queue
    const { codeHost, state, testRuns } = queue.engine.queue
    const wasHosted = codeHost === 'groups' && existsSync(folderOf(folder, ids.start))
    const isEmpty = queue.positions().numbers().next().done
    if (named.has(name) || !wasHosted || isEmpty) continue
    leftOut.push(queue)
    const send = (command: RecordedCommand): void => queues.send(name, command)
    if (state !== 'PAUSED') {
      const words = `this server was not told of the repository of ${name} when it was started: name it again`
      logger.warn(
        { queue: name, words },
        'people wait in a queue on which nobody works; it is paused',
      )
      // One that was draining must not take in others by itself.
      pause({ send }, { words, until: state === 'RUNNING' ? 'named' : 'resumed' })
    }
    for (const run of Object.values(testRuns)) beginAnew({ send }, run)
    const [merge] = wantedOf(queue.engine.queue).merges
    if (merge) targetMoved({ send, hold: (_command, sent) => sent() }, merge.numbers[0] ?? 0)
  }
  return leftOut
}

const nothing = (): void => undefined

/** Of a queue that is only shown nothing is polled and tested. */
const onlyShowing = {
  onNotified: nothing,
  onNoVerdict: nothing,
  onPlaced: nothing,
  onRefused: () => false,
}

/** Queues of one repository share a mirror, because a repository has one lock. */
async function mirrorOf(options: HostOptions, parts: HostsParts): Promise<Mirror> {
  const { url } = options
  const access = parts.codeHosts?.gitAccess(options)
  const mirror = new Mirror(mirrorFolder(parts.folder, url), url, access ? { access } : {})
  await mirror.prepare()
  keepBranch(parts.folder, options)
  // What is forgotten is in no composition any more, nor is anything built on it. One that stays does no harm.
  await mirror.keepOnly(headsIn(parts.queues)).catch(() => undefined)
  return mirror
}

/** Of all queues: others may share the mirror. */
function headsIn({ registry }: HostsParts['queues']): Set<Oid> {
  const snapshots = [...registry.queues].flatMap(({ history }) => [...history.snapshots.values()])
  return new Set(snapshots.map(({ head }) => head))
}

/**
 * A repository of the same name, or a new one in its place, is not that of the queue: there those who wait have no branch,
 * so all of them would leave. One that cannot be read now is waited for. Rejects with `CannotHost`.
 */
async function refuseOther(queue: ManagedQueue, mirror: Mirror, data: string): Promise<void> {
  const waiting = [...queue.positions().numbers()]
  const tip = tipOf({ queue })
  const heads = await mirror.readRefs(['refs/*']).catch(() => null)
  const target = heads?.get(`refs/heads/${queue.ref.targetBranch}`)
  if (waiting.length === 0 || tip === null || !heads || target === undefined) return
  const there = new Set(heads.values())
  const isKnown = waiting.some((number) => there.has(snapshotOf({ queue }, number)?.head ?? ''))
  if (isKnown || target === tip || (await isRelated(mirror, tip, target))) return
  const who = waiting.map((number) => `#${number}`).join(', ')
  throw new CannotHost(
    `${data} has a queue of another repository called ${queue.name}: ${mirror.url} has neither the commits of that one ` +
      `nor the branches of those who wait (${who}): name that repository, or another folder with --data`,
  )
}

/** True also if that cannot be told. */
async function isRelated(mirror: Mirror, tip: Oid, target: Oid): Promise<boolean> {
  try {
    await mirror.fetch([target])
  } catch {
    return true
  }
  // Git fails if it does not have the tip.
  return (await mergeBase(mirror.folder, tip, target).catch(() => null)) !== null
}

/** Creates the queue, or attaches it and sets it anew. Throws `CannotHost` if people wait in one that is not attached. */
export async function startQueue(
  { queues, logger }: Pick<HostsParts, 'queues' | 'logger'>,
  { ref, set }: HostOptions,
): Promise<void> {
  const name = nameOfQueue(ref)
  const known = queues.registry.find(name)
  if (!known) return void (await queues.ask(name, creationOf(set)))
  await attach(queues, known)
  await configure({ queues, logger }, known, set)
}

/**
 * Writes the settings of this start over those that the queue has, and says which. The state is that of a new queue alone:
 * a restart must not resume what somebody has paused. Rule: A-392.
 */
async function configure(
  { queues, logger }: Pick<HostsParts, 'queues' | 'logger'>,
  queue: ManagedQueue,
  { state: _ofNew, ...given }: HostOptions['set'],
): Promise<void> {
  const { name, engine } = queue
  // What failed a branch by itself may be other by now, say the command: writing a setting tests it at once.
  const { tipTestMode } = engine.queue.configuration
  const again = failureOfTip(engine.queue) ? { tipTestMode } : {}
  const { changed, inWords } = changesOf(queue, given)
  const { mode, ...others } = changed
  const write = async (set: HostOptions['set']): Promise<boolean> => {
    if (Object.keys(set).length === 0) return true
    return (await queues.ask(name, { type: 'updateQueue', set })).accepted
  }
  await write({ ...again, ...others })
  const isWhole = await write(mode === undefined ? {} : { mode })
  const words = inWords(isWhole ? changed : others)
  if (words !== '') logger.warn({ queue: name, words }, 'this start sets the queue anew')
  if (isWhole) return
  const why = `mode ${mode ?? ''} is for a queue that is RUNNING, or in which nobody is tested: start again then`
  logger.warn({ queue: name, words: why }, 'the mode of the queue stays as it is')
}

/** The command that makes a queue with a repository. */
export function creationOf(given: HostOptions['set']): CreateQueue {
  const set = settingsOfNew(given)
  return { type: 'createQueue', incarnation: randomUUID(), set, codeHost: 'groups' }
}

async function attach(queues: Queues, { name, engine }: ManagedQueue): Promise<void> {
  if (engine.queue.codeHost === 'groups') return
  const outcome = await queues.ask(name, { type: 'attachHost', codeHost: 'groups' })
  if (outcome.accepted) return
  throw new CannotHost(
    `${name} cannot be attached to its repository while pull requests are in it: let it run empty, or cancel them, and start again`,
  )
}

function changesOf({ engine }: ManagedQueue, given: HostOptions['set']) {
  const { configuration, wishedMode } = engine.queue
  const mode = wishedMode ?? configuration.mode
  const before: Readonly<Record<string, unknown>> = { ...configuration, mode }
  const isNew = ([key, value]: [string, unknown]): boolean =>
    JSON.stringify(before[key]) !== JSON.stringify(value)
  const changed: HostOptions['set'] = Object.fromEntries(Object.entries(given).filter(isNew))
  const words = ([key, value]: [string, unknown]): string =>
    `${key} is ${JSON.stringify(value)} and was ${JSON.stringify(before[key])}`
  const inWords = (set: HostOptions['set']): string => Object.entries(set).map(words).join(', ')
  return { changed, inWords }
}

/** The path of the mirror; it exists after the first start on this repository. */
export function mirrorFolder(data: string, url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(data, 'mirrors', name)
}

/**
 * The default branch that the repository names; while it cannot be asked, the one into which the last start has merged.
 * What names none has to have `main`. Rule: A-325.
 */
export async function defaultBranch(
  data: string,
  url: string,
  access: GitAccess | null,
): Promise<string> {
  const told = new Mirror('', url, access ? { access } : {}).defaultBranch()
  return (await told.catch(() => lastBranch(data, url))) ?? 'main'
}

const branchFile = (data: string, url: string): string => `${mirrorFolder(data, url)}.branch`

/** Null: it is not known. */
function lastBranch(data: string, url: string): string | null {
  const path = branchFile(data, url)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function keepBranch(data: string, { ref, url }: HostOptions): void {
  if (lastBranch(data, url) === ref.targetBranch) return
  const path = branchFile(data, url)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, ref.targetBranch)
}
