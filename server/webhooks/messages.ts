/**
 * Makes webhook messages from applied commands. This is a fold of the command log, so messages that
 * a crash lost are made again with the same ids and the same bytes.
 */

import type { Event, QueueState } from '../../engine/index.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { noteRuns, queueIds, type QueueIds } from '../identity/ids.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { Batches } from './batches.ts'
import { PullRequestContents } from './message-contents.ts'
import type { QueueAction } from './event-types.ts'
import { messageOf, type MessageContent, type Message } from './message.ts'

type QueueMessageState = { readonly ids: QueueIds; readonly batches: Batches; state: QueueState }

export class Messages {
  readonly #origin: string
  readonly #queues = new Map<string, QueueMessageState>()

  /** Starts at the state of `registry`. `origin` makes message ids unique among servers. */
  constructor(registry: QueueRegistry, origin: string) {
    this.#origin = origin
    for (const { name, state, engine } of registry.queues) {
      // A copy, because the registry is ahead of what is published.
      const ids = queueIds(state.incarnation, [...state.epochs])
      const batches = new Batches(engine.queue)
      this.#queues.set(name, { ids, batches, state: engine.queue.state })
    }
  }

  /** Returns the messages about the next command. Call it for every command. */
  of({ sequence, at, epoch = null, queue, command, events }: AppliedCommand): Message[] {
    if (queue === null) return []
    const name = nameOfQueue(queue)
    const contents: MessageContent[] = []
    if (command.type === 'createQueue') {
      const { incarnation, set } = command
      const state = set.state ?? 'RUNNING'
      const made = { ids: queueIds(incarnation, []), batches: new Batches(null), state }
      this.#queues.set(name, made)
      contents.push(aboutQueue('created', state))
    } else if (command.type === 'deleteQueue') {
      contents.push(aboutQueue('deleted', this.#queues.get(name)?.state ?? 'RUNNING'))
      this.#queues.delete(name)
    } else {
      const queueState = this.#queues.get(name)
      if (queueState) noteRuns(queueState.ids.epochs, events, epoch)
      if (queueState) contents.push(...contentsOf(queueState, events))
    }
    const place = epoch === null ? `${sequence}` : `${epoch}_${sequence}`
    return contents.map((content, index) =>
      messageOf(content, { id: `msg_${this.#origin}_${place}_${index}`, at, queue }),
    )
  }
}

function contentsOf(queueState: QueueMessageState, events: readonly Event[]): MessageContent[] {
  let isUpdated = false
  for (const event of events) {
    if (event.type === 'queueStateChanged') queueState.state = event.to
    isUpdated ||= event.type === 'queueStateChanged' || event.type === 'queueConfigured'
  }
  const contents = new PullRequestContents(queueState.ids, queueState.batches).of(events)
  return isUpdated ? [aboutQueue('updated', queueState.state), ...contents] : contents
}

function aboutQueue(action: QueueAction, state: QueueState): MessageContent {
  return { type: `queue.${action}`, numbers: [], fields: { status: state.toLowerCase() } }
}
