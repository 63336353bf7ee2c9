/** The outbox: its port, and its state, which is folded from its lines. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Millis, isCheckedLine, textOf } from '../../engine/index.ts'
import { type Message, queueOf } from './message.ts'
import { checkedLine, linesOfFile } from '../files/checked-line.ts'
import { replaceFile, writeFault } from '../files/replace-file.ts'

/** What deliveries need of an outbox. It is a file of the data folder, or shared by several servers. */
export type Outbox = {
  readonly state: OutboxState
  /** Applies a line to the state at once, and keeps it soon. */
  add(line: OutboxLine): void
  /** Notes that the command log is processed up to here; kept together with the lines before. */
  reach(sequence: number): void
}

const outboxVersion = 1

type DeliveryKey = { readonly endpoint: string; readonly message: string }

export type OutboxLine =
  /**
   * The first line. The origin is drawn once and is part of all message ids. The first `written` lines got their name as
   * a whole; missing in old outboxes.
   */
  | {
      readonly line: 'outbox'
      readonly version: number
      readonly origin: string
      readonly written?: number
    }
  /** The command log is processed up to this position. */
  | { readonly line: 'through'; readonly sequence: number }
  /** A new endpoint, which receives messages from here on. */
  | { readonly line: 'endpoint'; readonly endpoint: string }
  /** The endpoint was removed, and its messages with it. */
  | { readonly line: 'removed'; readonly endpoint: string }
  /** The endpoint responded 410, so nothing more is sent to this address. Missing in old outboxes. */
  | { readonly line: 'gone'; readonly endpoint: string; readonly address?: string }
  /** It has another address since. */
  | { readonly line: 'back'; readonly endpoint: string }
  /** All messages are sent now, also undelivered ones; `wished` is the time of the request. */
  | { readonly line: 'resend'; readonly endpoint: string; readonly wished: string }
  | {
      readonly line: 'message'
      readonly message: Message
      readonly to: readonly string[]
      /** When it was added. Missing in old outboxes. */
      readonly since?: Millis
    }
  | ({ readonly line: 'delivered' } & DeliveryKey)
  | ({
      readonly line: 'failed'
      readonly attempts: number
      /** The time of the next attempt. */
      readonly notBefore: Millis
      readonly fault: string
    } & DeliveryKey)
  /** The delivery is given up. */
  | ({ readonly line: 'undelivered'; readonly fault: string } & DeliveryKey)

/** A message for one endpoint. */
export type Delivery = {
  readonly message: Message
  /** The position among all messages of the outbox. */
  readonly position: number
  /** Since when it waits; null if an old outbox does not say. */
  since: Millis | null
  attempts: number
  notBefore: Millis
  /** The error of the last attempt; empty before the first. */
  fault: string
  isUndelivered: boolean
}

type DeliveryQueue = {
  readonly deliveries: Map<string, Delivery>
  /** The ids of messages that were given up, oldest first. */
  readonly undelivered: string[]
  isGone: boolean
  /** The hash of the address that is gone; null: none is, or an old outbox does not say it. */
  goneAddress: string | null
  /** The last processed request to send again; ISO 8601. */
  resendRequestedAt: string | null
}

/** The limit of undelivered messages per endpoint; beyond it the oldest are dropped. */
const mostUndelivered = 1_000

const there = { isGone: false, goneAddress: null } as const
const untried = { attempts: 0, notBefore: 0, fault: '', isUndelivered: false } as const

function emptyDeliveryQueue(): DeliveryQueue {
  return {
    deliveries: new Map(),
    undelivered: [],
    resendRequestedAt: null,
    ...there,
  }
}

/**
 * Pending and undelivered messages per endpoint. The server continues with it, and the commands for
 * webhooks show it.
 */
export class OutboxState {
  origin = ''
  through = 0
  readonly deliveryQueues = new Map<string, DeliveryQueue>()
  #position = 0

  apply(line: OutboxLine): void {
    if (line.line === 'outbox') this.origin = line.origin
    else if (line.line === 'through') this.through = line.sequence
    else if (line.line === 'endpoint') {
      this.deliveryQueues.set(line.endpoint, emptyDeliveryQueue())
    } else if (line.line === 'removed') this.deliveryQueues.delete(line.endpoint)
    else if (line.line === 'resend') this.#resend(line.endpoint, line.wished)
    else if (line.line === 'gone') {
      this.#note(line.endpoint, { isGone: true, goneAddress: line.address ?? null })
    } else if (line.line === 'back') this.#note(line.endpoint, there)
    else if (line.line === 'message') this.#addMessage(line)
    else this.#record(line)
  }

  /** The number of undelivered messages of an endpoint, by queue. */
  undeliveredByQueue(endpoint: string): Map<string, number> {
    const counts = new Map<string, number>()
    const { undelivered = [], deliveries } = this.deliveryQueues.get(endpoint) ?? {}
    for (const id of undelivered) {
      const delivery = deliveries?.get(id)
      const queue = delivery ? queueOf(delivery.message) : null
      if (queue !== null) counts.set(queue, (counts.get(queue) ?? 0) + 1)
    }
    return counts
  }

  /** The smallest list of lines that results in this state. */
  *lines(): Generator<OutboxLine> {
    yield { line: 'outbox', version: outboxVersion, origin: this.origin }
    yield { line: 'through', sequence: this.through }
    for (const [endpoint, { resendRequestedAt }] of this.deliveryQueues) {
      yield { line: 'endpoint', endpoint }
      if (resendRequestedAt !== null) yield { line: 'resend', endpoint, wished: resendRequestedAt }
    }
    yield* this.#messageLines()
    for (const [endpoint, { deliveries, isGone, goneAddress }] of this.deliveryQueues) {
      for (const { message, ...delivery } of deliveries.values()) {
        const { attempts, notBefore, fault, isUndelivered } = delivery
        const key = { endpoint, message: message.id }
        if (attempts > 0) yield { line: 'failed', ...key, attempts, notBefore, fault }
        if (isUndelivered) yield { line: 'undelivered', ...key, fault }
      }
      const address = goneAddress === null ? {} : { address: goneAddress }
      if (isGone) yield { line: 'gone', endpoint, ...address }
    }
  }

  #note(endpoint: string, noted: Pick<DeliveryQueue, 'isGone' | 'goneAddress'>): void {
    const deliveryQueue = this.deliveryQueues.get(endpoint)
    if (deliveryQueue) Object.assign(deliveryQueue, noted)
  }

  #resend(endpoint: string, requestedAt: string): void {
    const deliveryQueue = this.deliveryQueues.get(endpoint)
    if (!deliveryQueue) return
    deliveryQueue.resendRequestedAt = requestedAt
    Object.assign(deliveryQueue, there)
    deliveryQueue.undelivered.length = 0
    for (const delivery of deliveryQueue.deliveries.values()) {
      // A message that was given up waits from now on.
      if (delivery.isUndelivered) delivery.since = null
      Object.assign(delivery, untried)
    }
  }

  /** One line for each message, in the order in which they were added. */
  *#messageLines(): Generator<OutboxLine> {
    const made = new Map<number, { readonly delivery: Delivery; readonly to: string[] }>()
    for (const [endpoint, { deliveries }] of this.deliveryQueues) {
      for (const delivery of deliveries.values()) {
        const known = made.get(delivery.position)
        if (known) known.to.push(endpoint)
        else made.set(delivery.position, { delivery, to: [endpoint] })
      }
    }
    const inOrder = [...made.values()].sort((a, b) => a.delivery.position - b.delivery.position)
    for (const { delivery, to } of inOrder) {
      const { message, since } = delivery
      yield { line: 'message', message, to, ...(since === null ? {} : { since }) }
    }
  }

  #addMessage({ message, to, since }: Extract<OutboxLine, { line: 'message' }>): void {
    const position = this.#position++
    for (const endpoint of to) {
      const delivery: Delivery = { message, position, since: since ?? null, ...untried }
      this.deliveryQueues.get(endpoint)?.deliveries.set(message.id, delivery)
    }
  }

  #record(line: Extract<OutboxLine, { line: 'delivered' | 'failed' | 'undelivered' }>): void {
    const deliveryQueue = this.deliveryQueues.get(line.endpoint)
    if (!deliveryQueue) return
    const delivery = deliveryQueue.deliveries.get(line.message)
    if (line.line === 'delivered') deliveryQueue.deliveries.delete(line.message)
    else if (delivery && line.line === 'failed') {
      delivery.attempts = line.attempts
      delivery.notBefore = line.notBefore
      delivery.fault = line.fault
    } else if (delivery && line.line === 'undelivered') {
      delivery.isUndelivered = true
      delivery.fault = line.fault
      deliveryQueue.undelivered.push(line.message)
      if (deliveryQueue.undelivered.length <= mostUndelivered) return
      deliveryQueue.deliveries.delete(deliveryQueue.undelivered.shift() ?? '')
    }
  }
}

// `outbox.jsonl`: the outbox on disk. Lines are appended and synced a few times a second, not for
// each request. Messages that a crash kept from being written are made again from the command log;
// deliveries that were not recorded are repeated.

const writeEveryMs = 250
/** The file is rewritten without settled lines after it has grown by this much and doubled. */
const growthBytes = 1 << 20

/**
 * Reads the outbox up to the first damaged line; empty if there is none. Only reads the file. Throws if that line is one
 * of those with which the file was written, which no crash damages. Rule: A-394.
 */
export function readOutbox(path: string): OutboxState {
  const state = new OutboxState()
  if (!existsSync(path)) return state
  let written = 1
  let count = 0
  for (const line of linesOfFile(path)) {
    // Later messages are made again, from the last recorded position in the command log.
    if (!line.isWhole || !isCheckedLine(line, crc32)) break
    const parsedLine: OutboxLine = JSON.parse(textOf(line))
    if (line.number === 1) {
      if (parsedLine.line !== 'outbox' || parsedLine.version !== outboxVersion) {
        throw new Error(`${path} is not an outbox of version ${outboxVersion}`)
      }
      ;({ written = written } = parsedLine)
    }
    state.apply(parsedLine)
    count = line.number
  }
  if (count < written) throw damagedAt(path, count + 1)
  return state
}

function damagedAt(path: string, line: number): Error {
  return new Error(
    `${path}, line ${line}: expected a whole line that fits its checksum, got another. Nothing was changed. ` +
      'Restore the file from a backup, or move it away: what waits to be delivered to webhooks is then lost',
  )
}

/** The lines of a new file. */
function linesToWrite(state: OutboxState): string[] {
  const lines = [...state.lines()]
  return lines.map((line) =>
    checkedLine(line.line === 'outbox' ? { ...line, written: lines.length } : line),
  )
}

/** Writes an outbox to a folder on which no server runs. */
export async function writeOutbox(path: string, state: OutboxState): Promise<void> {
  await replaceFile(path, linesToWrite(state))
}

export class OutboxFile implements Outbox {
  readonly state: OutboxState
  readonly #path: string
  readonly #onFault: (error: unknown) => void
  #pending: string[] = []
  /** The last processed position in the command log that is on disk or pending. */
  #writtenThrough: number
  #writing: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #bytes = 0
  #rewriteAtBytes = 0
  #isClosed = false

  private constructor(path: string, state: OutboxState, onFault: (error: unknown) => void) {
    this.#path = path
    this.state = state
    this.#writtenThrough = state.through
    this.#onFault = onFault
  }

  /** Reads the outbox and rewrites it without settled lines. */
  static async open(path: string, onFault: (error: unknown) => void): Promise<OutboxFile> {
    const state = readOutbox(path)
    if (state.origin === '') state.origin = randomBytes(6).toString('hex')
    const file = new OutboxFile(path, state, onFault)
    await file.#rewrite()
    return file
  }

  /** Applies a line to the state at once, and writes it soon. */
  add(line: OutboxLine): void {
    this.state.apply(line)
    this.#pending.push(checkedLine(line))
    this.#writeSoon()
  }

  /** Records that the command log is processed up to here; written after the pending lines. */
  reach(sequence: number): void {
    this.state.apply({ line: 'through', sequence })
    this.#writeSoon()
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.#write(), writeEveryMs).unref()
  }

  /** Writes the pending lines now. Resolves when they are on disk. */
  async flush(): Promise<void> {
    await this.#write()
  }

  /** Writes the pending lines. Nothing may be added afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#write()
  }

  /** Writes nothing more: another server may be writing the file. A start makes up for it. */
  abandon(): void {
    this.#isClosed = true
    this.#pending = []
    this.#writtenThrough = this.state.through
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#writing
    this.#writing = this.#writePending().catch((error: unknown) => {
      // The end of the file is unknown now, so the next write replaces the file.
      this.#rewriteAtBytes = -1
      this.#onFault(error)
    })
    await this.#writing
    this.#writing = null
    this.#timer = null
    const isBehind = this.#pending.length > 0 || this.state.through > this.#writtenThrough
    if (isBehind && !this.#isClosed) this.#writeSoon()
  }

  async #writePending(): Promise<void> {
    const { through } = this.state
    if (through > this.#writtenThrough) {
      this.#pending.push(checkedLine({ line: 'through', sequence: through } satisfies OutboxLine))
    }
    if (this.#pending.length === 0) return
    this.#writtenThrough = through
    if (this.#bytes > this.#rewriteAtBytes) {
      await this.#rewrite()
      return
    }
    const text = this.#pending.join('')
    this.#pending = []
    const file = await open(this.#path, 'a')
    try {
      await file.appendFile(text)
      await file.datasync()
    } catch (error) {
      throw writeFault(this.#path, error)
    } finally {
      await file.close()
    }
    this.#bytes += Buffer.byteLength(text)
  }

  /** Replaces the file. The pending lines are already part of the state. */
  async #rewrite(): Promise<void> {
    this.#pending = []
    this.#writtenThrough = this.state.through
    const lines = linesToWrite(this.state)
    await replaceFile(this.#path, lines)
    this.#bytes = lines.reduce((sum, line) => sum + line.length, 0)
    this.#rewriteAtBytes = Math.max(2 * this.#bytes, this.#bytes + growthBytes)
  }
}
