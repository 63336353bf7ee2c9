/**
 * The notices of one queue, numbered. This is a fold of the command log, and the registry keeps the
 * count with the history of the queue. So a notice that is made again has the same number.
 */

import type { Event, QueueState, QueueView } from '../../engine/index.ts'
import type { QueueIds } from '../identity/ids.ts'
import { Batches } from './batches.ts'
import type { QueueAction } from './event-types.ts'
import { PullRequestContents } from './message-contents.ts'
import type { Notice, NoticeContent } from './notice-content.ts'

export class QueueNotices {
  readonly ids: QueueIds
  readonly #batches: Batches
  #state: QueueState
  #count: number

  /** Continues after `count` notices with the state of the queue at that point. */
  constructor(ids: QueueIds, queue: QueueView, count: number) {
    this.ids = ids
    this.#batches = new Batches(queue)
    this.#state = queue.state
    this.#count = count
  }

  /** The number of the last notice. */
  get count(): number {
    return this.#count
  }

  created(): Notice {
    return this.#numbered(this.#aboutQueue('created'))
  }

  deleted(): Notice {
    return this.#numbered(this.#aboutQueue('deleted'))
  }

  /** Returns the notices about the next command that the engine accepted. */
  of(events: readonly Event[]): Notice[] {
    let isUpdated = false
    for (const event of events) {
      if (event.type === 'queueStateChanged') this.#state = event.to
      isUpdated ||= event.type === 'queueStateChanged' || event.type === 'queueConfigured'
    }
    const contents = new PullRequestContents(this.ids, this.#batches).of(events)
    if (isUpdated) contents.unshift(this.#aboutQueue('updated'))
    return contents.map((content) => this.#numbered(content))
  }

  #aboutQueue(action: QueueAction): NoticeContent {
    return {
      type: `queue.${action}`,
      numbers: [],
      fields: { status: this.#state.toLowerCase() },
    }
  }

  #numbered(content: NoticeContent): Notice {
    return { ...content, sequence: ++this.#count }
  }
}
