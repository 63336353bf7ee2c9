/**
 * The notices of one queue, numbered. This is a fold of the command log, and the registry keeps the
 * count with the history of the queue. So a notice that is made again has the same number.
 */

import type { Event, QueueState, QueueView } from '../../engine/index.ts'
import type { QueueIds } from '../identity/ids.ts'
import { Batches } from './batches.ts'
import type { Notice, NoticeContent, QueueAction } from './event-types.ts'
import { PullRequestContents } from './message-contents.ts'

/** The number of the last notice of the queue: a part of its history. */
type NoticeCount = { notices: number }

export class QueueNotices {
  readonly #ids: QueueIds
  readonly #batches: Batches
  readonly #count: NoticeCount
  #state: QueueState
  #latest: readonly Notice[] = []

  /** Continues with the state of the queue after its last notice. */
  constructor(ids: QueueIds, queue: QueueView, count: NoticeCount) {
    this.#ids = ids
    this.#batches = new Batches(queue)
    this.#state = queue.state
    this.#count = count
  }

  /** The notices about the last command that the engine accepted. */
  get latest(): readonly Notice[] {
    return this.#latest
  }

  created(): Notice {
    return this.#numbered(this.#aboutQueue('created'))
  }

  deleted(): Notice {
    return this.#numbered(this.#aboutQueue('deleted'))
  }

  /** Makes the notices about the next command that the engine accepted. */
  follow(events: readonly Event[]): void {
    let isUpdated = false
    for (const event of events) {
      if (event.type === 'queueStateChanged') this.#state = event.to
      isUpdated ||= event.type === 'queueStateChanged' || event.type === 'queueConfigured'
    }
    const contents = new PullRequestContents(this.#ids, this.#batches).of(events)
    if (isUpdated) contents.unshift(this.#aboutQueue('updated'))
    this.#latest = contents.map((content) => this.#numbered(content))
  }

  #aboutQueue(action: QueueAction): NoticeContent {
    return {
      type: `queue.${action}`,
      numbers: [],
      fields: { status: this.#state.toLowerCase() },
    }
  }

  #numbered(content: NoticeContent): Notice {
    return { ...content, sequence: ++this.#count.notices }
  }
}
