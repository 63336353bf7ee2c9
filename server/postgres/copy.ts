/**
 * Copies a data folder into an empty store: the state of its queues, its tokens and its webhooks. The entries
 * before stay in the folder.
 */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import type { Pool } from 'pg'
import { readTokens, writeTokens } from '../auth/tokens.ts'
import { holdLock } from '../files/lock.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { chainAfter, Register } from '../replica/register.ts'
import { engineVersion } from '../replica/engine-version.ts'
import { type SavedState, firstChain, type Line, type Turn } from '../replica/log-database.ts'
import { checkEnd, EndMarker } from '../store/end-marker.ts'
import { type DataFolder, refuseHalfRestored, makeDataFolder } from '../store/data-folder.ts'
import { recover, firstSegment, snapshotIn, rulesVersion } from '../store/recover.ts'
import { notesFile, notesIn, notesKinds } from '../files/notes.ts'
import { linesOfState } from '../store/snapshot-file.ts'
import { connect } from './connect.ts'
import { PostgresLog } from './postgres-log.ts'
import { changeSetting, readSetting } from './shared-setting.ts'
import { sharedTokens } from './shared-tokens.ts'
import { StoreFault, shownUrl } from './store-fault.ts'
import type { LogEntry } from '../../engine/index.ts'
import { SegmentFile, type SegmentEnd, entryLine } from '../store/segment.ts'
import { Follower } from '../replica/committed.ts'
import { readEndpoints, writeEndpoints } from '../webhooks/message.ts'
import { addMessagesOf, addMissed } from '../webhooks/webhooks.ts'
import { type Position, keptLinesOf, stateOf } from '../webhooks/outbox-database.ts'
import { readOutbox, writeOutbox, type Outbox, type OutboxState } from '../webhooks/outbox.ts'
import { PostgresOutbox, sharedEndpoints, webhooksTerm } from './postgres-outbox.ts'
import { hostsTerm, sharedNotes, sharedTerms } from './shared-state.ts'

export type Copied = { readonly queues: number; readonly sequence: number }

/** Throws `FolderInUse`, `DamagedData`, or `StoreFault` for a store that cannot be used or is not empty. */
export async function copyIn(folder: DataFolder, url: string): Promise<Copied> {
  refuseHalfRestored(folder)
  // No server may go on in the folder while its state is copied.
  const lock = holdLock(folder.lock, () => undefined)
  try {
    const { registry, saved } = await recoveredOf(folder)
    const pool = await connect(url)
    try {
      const log = new PostgresLog(pool)
      await copyLog(log, saved, url)
      await changeSetting(pool, sharedTokens, (tokens) => [...tokens, ...readTokens(folder.tokens)])
      const { sequence, chain } = saved
      await copyWebhooksIn(folder, pool, { registry, position: { sequence, chain } })
      await copyNotesIn(folder, pool, registry)
      const queues = await checkedCopy(log, saved)
      return { queues, sequence }
    } finally {
      await pool.end()
    }
  } finally {
    await lock.release()
  }
}

type Recovered = { readonly registry: QueueRegistry; readonly saved: SavedState }

async function recoveredOf(folder: DataFolder): Promise<Recovered> {
  const recovered = await recover(folder)
  checkEnd(folder, recovered)
  const { registry } = recovered
  const { sequence, at } = registry
  if (sequence === 0)
    throw new StoreFault(
      `${folder.path}: expected the data folder of a server with queues, got one without`,
    )
  const lines = linesOfState(registry.state())
  const chain = chainOfAnchor({ sequence, at })
  return { registry, saved: { sequence, at, chain, engine: engineVersion, lines } }
}

/** The log begins with a line that stands for everything before. It is never replayed: its state is kept. */
const anchorText = ({ sequence, at }: Pick<SavedState, 'sequence' | 'at'>): string =>
  JSON.stringify({ sequence, at, copied: 'the entries before are in the data folder' })

function isAnchor(text: string): boolean {
  const line: object = JSON.parse(text)
  return 'copied' in line
}

const chainOfAnchor = (of: Pick<SavedState, 'sequence' | 'at'>): string =>
  chainAfter(firstChain, anchorText(of))

async function copyLog(log: PostgresLog, saved: SavedState, url: string): Promise<void> {
  const { sequence, at, chain, engine } = saved
  const { wakeAt } = Register.from(saved)
  const line = { sequence, chain, text: anchorText(saved) }
  // The state first: a head without its state could not be read.
  await (await turnOnEmpty(log, url)).rollBack()
  await log.saveState(saved)
  const turn = await turnOnEmpty(log, url)
  await turn.commit([line], { sequence, at, chain, engine, wakeAt })
}

/** Also a server that was started meanwhile fills a store. */
async function turnOnEmpty(log: PostgresLog, url: string): Promise<Turn> {
  const turn = await log.begin(0)
  if (turn.tail.head.sequence === 0) return turn
  await turn.rollBack()
  throw new StoreFault(`${shownUrl(url)} is not empty: copy into a new database`)
}

/** Reads the copy as a server does, and compares it with what was to be copied, byte for byte. */
async function checkedCopy(log: PostgresLog, right: SavedState): Promise<number> {
  const found = await log.savedState()
  const read = Register.from(found)
  read.catchUp(await log.readTail(read.sequence))
  if (found?.lines.join('\n') !== right.lines.join('\n'))
    throw new StoreFault(
      'the copy is not what was to be copied: use a new database, and report this',
    )
  return [...read.manager.registry.queues].length
}

// Copies a store into a new data folder, as a server with a folder reads it. A log that was copied in begins
// with a snapshot; any other is whole.

/** Throws `StoreFault` for a store that cannot be used, and if the folder is not empty. */
export async function copyOut(url: string, folder: DataFolder): Promise<Copied> {
  if (existsSync(folder.path) && readdirSync(folder.path).length > 0)
    throw new StoreFault(`${folder.path} is not empty: copy into a new folder`)
  const pool = await connect(url)
  try {
    const log = new PostgresLog(pool)
    makeDataFolder(folder)
    // No server starts on a part of the copy.
    await replaceFile(folder.restoring, [`${shownUrl(url)}\n`])
    const right = await copyFolder(log, folder)
    await writeTokens(folder.tokens, await readSetting(pool, sharedTokens))
    await copyWebhooksOut(pool, log, folder)
    const { registry } = await recover(folder)
    await copyNotesOut(pool, folder, registry)
    if (linesOfState(registry.state()).join('\n') !== right.saved().lines.join('\n'))
      throw new StoreFault(
        `${folder.path} is not what was to be copied: do not use it, and report this`,
      )
    rmSync(folder.restoring)
    return { queues: [...registry.queues].length, sequence: registry.sequence }
  } finally {
    await pool.end()
  }
}

/** Returns the state at the end of what was written. */
async function copyFolder(log: PostgresLog, folder: DataFolder): Promise<Register> {
  const first = await log.firstText()
  const isCopied = first !== null && isAnchor(first)
  const register = Register.from(isCopied ? await log.savedState() : null)
  const after = register.sequence
  const tail = await log.readTail(after)
  if (isCopied) {
    const db = snapshotIn(folder)
    db.data = { segment: firstSegment, state: register.manager.registry.state() }
    await db.write()
  }
  const { registry } = register.manager
  const begun = registry.hasEpoch(tail.epoch) ? registry.epoch : null
  register.catchUp(tail)
  let end: SegmentEnd | null = null
  for (const { epoch, lines } of partsOf(begun ?? tail.epoch, tail.lines)) {
    const { segment, sequence } = end ?? { segment: firstSegment - 1, sequence: after }
    const previous = end && { segment, bytes: end.bytes, crc: end.crc }
    const header = { segment: segment + 1, after: sequence, epoch, rules: rulesVersion(), previous }
    const file: SegmentFile = await SegmentFile.begin(folder, header)
    await file.write(lines.map(lineOf), lines.at(-1)?.sequence ?? sequence)
    await file.close()
    end = file.end
  }
  if (end) await (await EndMarker.create(folder, end)).close()
  return register
}

type Part = { readonly epoch: string; readonly lines: Line[] }

/** The lines of each epoch: in a folder segments begin epochs, and in a store entries do. */
function partsOf(epoch: string, all: readonly Line[]): Part[] {
  let part: Part = { epoch, lines: [] }
  const parts = [part]
  for (const line of all) {
    const { epoch: begun } = entryOf(line)
    if (begun !== undefined) parts.push((part = { epoch: begun, lines: [] }))
    part.lines.push(line)
  }
  return parts
}

function entryOf({ text }: Line): LogEntry {
  const entry: LogEntry = JSON.parse(text)
  return entry
}

const lineOf = (line: Line): Iterable<Buffer> => entryLine(entryOf(line))

// Copies webhooks and what waits for them between a data folder and a store, while no server runs on either.

/** Its name as a sender. */
const sender = 'mergeyard copy'

/** So many lines are written at once. */
const pageLines = 5_000

/** The store has its log already, which ends at this position. */
async function copyWebhooksIn(
  folder: DataFolder,
  pool: Pool,
  { registry, position }: { readonly registry: QueueRegistry; readonly position: Position },
): Promise<void> {
  const endpoints = readEndpoints(folder.webhooks)
  const outbox = inMemory(readOutbox(folder.outbox))
  await addMissed(folder, { outbox, endpoints, registry, logger, now: Date.now(), pageOf })
  const { origin } = outbox.state
  if (origin !== '') await new PostgresOutbox(pool).setOrigin(origin)
  await copyOutbox(pool, position, outbox.state)
  await changeSetting(pool, sharedEndpoints, (others) => [...others, ...endpoints])
}

async function copyOutbox(pool: Pool, position: Position, state: OutboxState): Promise<void> {
  const store = new PostgresOutbox(pool)
  const terms = sharedTerms(pool, webhooksTerm)
  if (!(await terms.take(sender)))
    throw new StoreFault('a server delivers webhooks from this store: stop it first')
  const all = keptLinesOf(state)
  let { revision } = await store.read()
  for (let from = 0; from === 0 || from < all.length; from += pageLines) {
    const lines = all.slice(from, from + pageLines)
    if (!(await store.write(sender, { revision: revision++, position, lines, settled: [] })))
      throw new StoreFault('somebody else writes to this store: use a new database')
  }
  await terms.giveBack(sender)
}

async function copyWebhooksOut(pool: Pool, log: PostgresLog, folder: DataFolder): Promise<void> {
  const endpoints = await readSetting(pool, sharedEndpoints)
  const outbox = inMemory(stateOf(await new PostgresOutbox(pool).read()))
  const { deliveryQueues, through } = outbox.state
  // What nobody has read yet is told as it would be in the store, with the same ids.
  const follower = await Follower.open(log, deliveryQueues.size === 0 ? null : through)
  for (const applied of await follower.next())
    addMessagesOf(applied, { outbox, endpoints, now: Date.now(), pageOf })
  outbox.reach(follower.position.sequence)
  await writeEndpoints(folder.webhooks, endpoints)
  await writeOutbox(folder.outbox, outbox.state)
}

// What is known of the repositories: without it a branch that was no request would merge, and a label be forgotten.

async function copyNotesIn(folder: DataFolder, pool: Pool, registry: QueueRegistry): Promise<void> {
  const terms = sharedTerms(pool, hostsTerm)
  for (const { queue, kind } of notesOf(registry)) {
    const text = notesIn(notesFile(folder.path, queue.ids.start, kind)).read()
    if (text === null) continue
    if (!(await terms.take(sender)))
      throw new StoreFault('a server works on the repositories of this store: stop it first')
    await (await sharedNotes(pool, { queue, kind }, sender)).write(text)
  }
  await terms.giveBack(sender)
}

async function copyNotesOut(
  pool: Pool,
  folder: DataFolder,
  registry: QueueRegistry,
): Promise<void> {
  for (const { queue, kind } of notesOf(registry)) {
    const text = (await sharedNotes(pool, { queue, kind }, sender)).read()
    if (text !== null) await notesIn(notesFile(folder.path, queue.ids.start, kind)).write(text)
  }
}

const notesOf = ({ queues }: QueueRegistry) =>
  [...queues].flatMap((queue) => notesKinds.map((kind) => ({ queue, kind })))

const inMemory = (state: OutboxState): Outbox => ({
  state,
  add: (line) => state.apply(line),
  reach: (sequence) => state.apply({ line: 'through', sequence }),
})

/** Where a server shows its page, only the server knows. */
const pageOf = (): null => null

/** A copy that would lose messages fails. */
const logger = {
  info: (): void => undefined,
  error: ({ err }: { readonly err: unknown }): never => {
    throw new StoreFault('messages of the last commands before the stop cannot be made', {
      cause: err,
    })
  },
}
