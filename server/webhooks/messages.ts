/**
 * From what happens to what is told: a fold of the command log, like everything else. So what a
 * crash has left untold can be made again, with the same ids and to the same byte.
 */

import type { Event, Millis, QueueState } from '../../engine/index.ts'
import type { Happening } from '../yard/announcer.ts'
import { idPrefixes, type IdPrefixes } from '../yard/ids.ts'
import { nameOfQueue } from '../yard/queue-ref.ts'
import type { Register } from '../yard/register.ts'
import { Batches } from './batches.ts'
import { PullRequestContents } from './contents.ts'
import type { QueueWord } from './event-types.ts'
import { messageOf, type Content, type Message } from './message.ts'

type QueueBook = { readonly ids: IdPrefixes; readonly batches: Batches; state: QueueState }

export class Messages {
  readonly #origin: string
  readonly #queues = new Map<string, QueueBook>()

  /** From here on; `origin` tells this server's messages from those of any other. */
  constructor(register: Register, origin: string) {
    this.#origin = origin
    for (const { name, ids, engine } of register.queues) {
      const batches = new Batches(engine.queue)
      this.#queues.set(name, { ids, batches, state: engine.queue.state })
    }
  }

  /** What there is to tell of the next thing that happens. None may be left out. */
  of({ sequence, at, queue, command, events }: Happening): Message[] {
    if (queue === null) return []
    const name = nameOfQueue(queue)
    const contents: Content[] = []
    if (command.type === 'createQueue') {
      const { incarnation, set } = command
      const state = set.state ?? 'RUNNING'
      const made = { ids: idPrefixes(incarnation), batches: new Batches(null), state }
      this.#queues.set(name, made)
      contents.push(aboutQueue('created', state))
    } else if (command.type === 'deleteQueue') {
      contents.push(aboutQueue('deleted', this.#queues.get(name)?.state ?? 'RUNNING'))
      this.#queues.delete(name)
    } else {
      const book = this.#queues.get(name)
      if (book) contents.push(...contentsOf(book, events))
    }
    return contents.map((content, index) =>
      messageOf(content, this.#place(sequence, index, at, queue)),
    )
  }

  #place(
    sequence: number,
    index: number,
    at: Millis,
    queue: NonNullable<Happening['queue']>,
  ): Parameters<typeof messageOf>[1] {
    return { id: `msg_${this.#origin}_${sequence}_${index}`, at, queue }
  }
}

function contentsOf(book: QueueBook, events: readonly Event[]): Content[] {
  let isUpdated = false
  for (const event of events) {
    if (event.type === 'queueStateChanged') book.state = event.to
    isUpdated ||= event.type === 'queueStateChanged' || event.type === 'queueConfigured'
  }
  const contents = new PullRequestContents(book.ids, book.batches).of(events)
  return isUpdated ? [aboutQueue('updated', book.state), ...contents] : contents
}

function aboutQueue(word: QueueWord, state: QueueState): Content {
  return { type: `queue.${word}`, numbers: [], fields: { status: state.toLowerCase() } }
}
