/** The queues that this server works on itself: their repositories, test runs and merges. */

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { nameOfQueue } from '../identity/queue-ref.ts'
import { refuseOldGit } from '../git/git.ts'
import { Mirror } from '../git/mirror.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { mirrorFolder } from './mirror-folder.ts'
import { HostedRepository, type HostedPorts } from './hosted-repository.ts'
import type { HostedQueue, Hosting } from './hosting.ts'
import type { HostOptions } from './options.ts'
import { CannotHost, refuseUnworkable } from './workable.ts'

/** What this room needs of the queue manager. */
type HostsManager = Pick<QueueManager, 'registry' | 'send' | 'durable' | 'subscribe'>

export type HostsParts = HostedPorts & {
  readonly manager: HostsManager
  readonly logger: Logger
}

export class Hosts implements Hosting {
  readonly #queues = new Map<string, HostedRepository>()

  /**
   * Opens the repositories, creates the queues that are missing, and begins to work. Throws
   * `CannotHost`, and then nothing has been begun.
   */
  static async open(options: readonly HostOptions[], parts: HostsParts): Promise<Hosts> {
    const hosts = new Hosts()
    const mirrors = new Map<string, Mirror>()
    for (const each of options) {
      // One that was there before comes back: until then its status says what is wrong.
      const isKnown = parts.manager.registry.find(nameOfQueue(each.ref)) !== undefined
      await (isKnown ? refuseOldGit() : refuseUnworkable(each, parts.forges?.gitAccess(each)))
    }
    for (const each of options) {
      const mirror = mirrors.get(each.url) ?? (await mirrorOf(each, parts))
      mirrors.set(each.url, mirror)
    }
    for (const each of options) {
      const mirror = mirrors.get(each.url)
      if (!mirror) continue
      const queue = queueFor(parts.manager, each)
      const branches = options
        .filter(({ url }) => url === each.url)
        .map(({ ref }) => ref.targetBranch)
      const repository = new HostedRepository(each, queue, { ...parts, mirror, branches })
      hosts.#queues.set(queue.name, repository)
    }
    parts.manager.subscribe(({ queue }) => {
      if (queue) hosts.#queues.get(nameOfQueue(queue))?.kick()
    })
    for (const queue of hosts.#queues.values()) queue.start()
    return hosts
  }

  of(queue: string): HostedQueue | null {
    return this.#queues.get(queue) ?? null
  }

  get all(): Iterable<HostedQueue> {
    return this.#queues.values()
  }

  /** Ends the runs in progress; settles when nothing is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()))
  }
}

/** Queues of one repository share a mirror, because a repository has one lock. */
async function mirrorOf(options: HostOptions, parts: HostsParts): Promise<Mirror> {
  const { url } = options
  const access = parts.forges?.gitAccess(options)
  const mirror = new Mirror(mirrorFolder(parts.folder, url), url, access ? { access } : {})
  await mirror.prepare()
  return mirror
}

/** The queue, created or attached if needed. Throws `CannotHost` if people wait in it already. */
function queueFor(manager: HostsManager, { ref, set }: HostOptions): ManagedQueue {
  const name = nameOfQueue(ref)
  const known = manager.registry.find(name)
  if (!known) {
    const codeHost = 'groups'
    manager.send(name, { type: 'createQueue', incarnation: randomUUID(), set, codeHost })
  } else {
    attach(manager, known)
    const changed = changedSettings(known, set)
    if (Object.keys(changed).length > 0) manager.send(name, { type: 'updateQueue', set: changed })
  }
  const queue = manager.registry.find(name)
  if (!queue) throw new Error(`${name} was created but is missing`)
  return queue
}

function attach(manager: HostsManager, { name, engine }: ManagedQueue): void {
  if (engine.queue.codeHost === 'groups') return
  const outcome = manager.send(name, { type: 'attachHost', codeHost: 'groups' })
  if (outcome.accepted) return
  throw new CannotHost(
    `${name} cannot be attached to its repository while pull requests are in it: let it run empty, or cancel them, and start again`,
  )
}

function changedSettings({ engine }: ManagedQueue, set: HostOptions['set']): HostOptions['set'] {
  const { configuration, state } = engine.queue
  const now: Readonly<Record<string, unknown>> = { ...configuration, state }
  return Object.fromEntries(
    Object.entries(set).filter(
      ([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value),
    ),
  )
}
