/**
 * What the outbox holds, as a fold of its lines: what is still to be sent to whom, and what nobody
 * wanted to take. The server goes on with it; the command that lists webhooks reads it.
 */

import type { Millis } from '../../engine/index.ts'
import type { Message } from './message.ts'

export const outboxVersion = 1

type Of = { readonly endpoint: string; readonly message: string }

export type OutboxLine =
  /** The first line. The origin is drawn once, and goes into the ids of messages. */
  | { readonly line: 'outbox'; readonly version: number; readonly origin: string }
  /** All that happened up to this place in the command log has been looked at. */
  | { readonly line: 'through'; readonly sequence: number }
  /** It is told what happens from here on. */
  | { readonly line: 'endpoint'; readonly endpoint: string }
  /** It was removed, with all that was meant for it. */
  | { readonly line: 'removed'; readonly endpoint: string }
  /** It said that it is no more: nothing will be sent there. */
  | { readonly line: 'gone'; readonly endpoint: string }
  /** What could not be delivered to it is to be sent again, as was wished at that time. */
  | { readonly line: 'resend'; readonly endpoint: string; readonly wished: string }
  | { readonly line: 'message'; readonly message: Message; readonly to: readonly string[] }
  | ({ readonly line: 'delivered' } & Of)
  | ({
      readonly line: 'failed'
      readonly attempts: number
      /** When to try again. */
      readonly notBefore: Millis
      readonly fault: string
    } & Of)
  /** It is not tried any more. */
  | ({ readonly line: 'undelivered'; readonly fault: string } & Of)

/** A message on its way to one endpoint. */
export type Letter = {
  readonly message: Message
  attempts: number
  notBefore: Millis
  /** Why the last attempt was none; empty before the first. */
  fault: string
  isUndelivered: boolean
}

export type Mailbox = {
  readonly letters: Map<string, Letter>
  /** The ids of those that are not tried any more, oldest first. */
  readonly undelivered: string[]
  isGone: boolean
  /** The last wish to send again that was heard. */
  resendWished: string | null
}

/** So many undelivered messages are kept for each endpoint; the oldest give way. */
const mostUndelivered = 1_000

const untried = { attempts: 0, notBefore: 0, fault: '', isUndelivered: false } as const

function emptyMailbox(): Mailbox {
  return { letters: new Map(), undelivered: [], isGone: false, resendWished: null }
}

export class OutboxState {
  origin = ''
  through = 0
  readonly mailboxes = new Map<string, Mailbox>()

  apply(line: OutboxLine): void {
    if (line.line === 'outbox') this.origin = line.origin
    else if (line.line === 'through') this.through = line.sequence
    else if (line.line === 'endpoint') {
      this.mailboxes.set(line.endpoint, emptyMailbox())
    } else if (line.line === 'removed') this.mailboxes.delete(line.endpoint)
    else if (line.line === 'resend') this.#resend(line.endpoint, line.wished)
    else if (line.line === 'message') this.#post(line.message, line.to)
    else this.#note(line)
  }

  /** As few lines as say all of it. */
  *lines(): Generator<OutboxLine> {
    yield { line: 'outbox', version: outboxVersion, origin: this.origin }
    yield { line: 'through', sequence: this.through }
    const addressees = new Map<Message, string[]>()
    for (const [endpoint, { letters, resendWished }] of this.mailboxes) {
      yield { line: 'endpoint', endpoint }
      if (resendWished !== null) yield { line: 'resend', endpoint, wished: resendWished }
      for (const { message } of letters.values()) {
        const to = addressees.get(message)
        if (to) to.push(endpoint)
        else addressees.set(message, [endpoint])
      }
    }
    for (const [message, to] of addressees) yield { line: 'message', message, to }
    for (const [endpoint, { letters, isGone }] of this.mailboxes) {
      for (const { message, ...letter } of letters.values()) {
        const { attempts, notBefore, fault, isUndelivered } = letter
        const of = { endpoint, message: message.id }
        if (attempts > 0) yield { line: 'failed', ...of, attempts, notBefore, fault }
        if (isUndelivered) yield { line: 'undelivered', ...of, fault }
      }
      if (isGone) yield { line: 'gone', endpoint }
    }
  }

  #resend(endpoint: string, wished: string): void {
    const mailbox = this.mailboxes.get(endpoint)
    if (!mailbox) return
    mailbox.resendWished = wished
    mailbox.isGone = false
    for (const id of mailbox.undelivered.splice(0)) {
      const letter = mailbox.letters.get(id)
      if (letter) Object.assign(letter, untried)
    }
  }

  #post(message: Message, to: readonly string[]): void {
    for (const endpoint of to) {
      this.mailboxes.get(endpoint)?.letters.set(message.id, { message, ...untried })
    }
  }

  #note(
    line: Extract<OutboxLine, { line: 'gone' | 'delivered' | 'failed' | 'undelivered' }>,
  ): void {
    const mailbox = this.mailboxes.get(line.endpoint)
    if (!mailbox) return
    if (line.line === 'gone') {
      mailbox.isGone = true
      return
    }
    const letter = mailbox.letters.get(line.message)
    if (line.line === 'delivered') mailbox.letters.delete(line.message)
    else if (letter && line.line === 'failed') {
      letter.attempts = line.attempts
      letter.notBefore = line.notBefore
      letter.fault = line.fault
    } else if (letter && line.line === 'undelivered') {
      letter.isUndelivered = true
      letter.fault = line.fault
      mailbox.undelivered.push(line.message)
      if (mailbox.undelivered.length <= mostUndelivered) return
      mailbox.letters.delete(mailbox.undelivered.shift() ?? '')
    }
  }
}
