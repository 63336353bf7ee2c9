/** Whether what somebody asked for still stands, as far as the host can say it now. */

import type { Logger } from 'pino'
import type { PullRequestNumber } from '../../engine/index.ts'
import { standingOf, type HostRequest, type Pull, type Standing } from '../hosting/code-host.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Activity, CodeHostApi, Moment } from './api.ts'
import {
  compareMoments,
  departuresIn,
  lastEventAbout,
  whyOver,
  type KeptMemory,
  type ObservedPulls,
} from './observed-pulls.ts'
import { concernsOne, meaningForOne } from './rest.ts'

export type Pulls = ReadonlyMap<PullRequestNumber, Pull>

export type RequestParts = {
  readonly api: CodeHostApi
  readonly queue: ManagedQueue
  readonly file: KeptMemory
  /** The target branches of all queues of the repository. */
  readonly branches: readonly string[]
  readonly logger: Logger
  /** Logs what is wrong with one pull request, which comes up at each poll. */
  readonly warn: (number: PullRequestNumber, error: unknown, words: string) => void
  readonly now: () => number
  readonly observed: Pick<ObservedPulls, 'read' | 'changesOf'>
  /** The target branch of a queue that is its base, or to which its bases lead; null: no queue merges it. */
  readonly targetOf: (pull: Pull) => string | null
  /** Tells in the comment of the queue why a request is refused. */
  readonly refuse: (number: PullRequestNumber, words: string) => void
}

/** When and among which events somebody asked; `wasAsked`: a poll before has seen the same label. */
type ByWhat = { readonly when: Moment; readonly activity: Activity; readonly wasAsked?: boolean }

/** What became of a label. */
export type Judged =
  | Decided
  /** The host could not say enough about it now: what was known of it before is known still. */
  | { readonly is: 'undecided'; readonly isKnown: boolean; readonly head: string | undefined }

export type Decided =
  | { readonly is: 'queued' }
  /** The pull request that it stood for has left the queue. */
  | { readonly is: 'left' }
  | { readonly is: 'request'; readonly request: HostRequest }
  /** It counts for this head as soon as the draft is ready for review. */
  | { readonly is: 'waits'; readonly head: string }
  /** It is not open for the branch any more. */
  | { readonly is: 'gone' }
  /** It was set before this server began to listen. */
  | { readonly is: 'earlier' }
  | { readonly is: 'refused'; readonly words: string }

type Found<Value> =
  | { readonly is: 'done'; readonly value: Value }
  | { readonly is: 'failed'; readonly words: string }
  | { readonly is: 'undecided' }

export class Judging {
  /** The last answer of the host to a request of one pull request that failed; null: it went well since. */
  fault: string | null = null
  /** Those about which the host could not say enough in this poll. */
  readonly undecided = new Set<PullRequestNumber>()
  readonly #parts: RequestParts

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  /** The enqueueing label. */
  get label(): string {
    const { api, queue } = this.#parts
    return api.nameOfLabel(queue.engine.queue.configuration.enqueueingLabel)
  }

  isOpenHere(pull: Pull | null): pull is Pull {
    const { queue, targetOf } = this.#parts
    return pull?.state === 'open' && targetOf(pull) === queue.ref.targetBranch
  }

  standingIn(pull: Pull, { events }: Activity): Standing {
    return standingOf(pull, departuresIn(events), this.#parts.queue.ref.targetBranch)
  }

  whyOver({ number, head }: Pull, { when, activity, wasAsked = false }: ByWhat): string | null {
    const hadHead = this.#parts.file.memory.heads[number] === head
    return whyOver(when, activity, { hadHead, wasAsked })
  }

  /** Whether somebody has taken the label away since then. The queue itself takes it from one that has left. */
  async isUnlabelledSince(when: Moment, activity: Activity): Promise<boolean> {
    const { api, queue } = this.#parts
    if (!queue.engine.queue.configuration.labelCommandsEnabled) return false
    const away = lastEventAbout(this.label, 'unlabelled', activity)
    if (!away || compareMoments(away.when, when) <= 0) return false
    return away.by?.login !== (await api.self()).login
  }

  /**
   * An answer that concerns one pull request is said there, and holds up nobody else. If the next may be another, it is
   * asked for again at the next poll.
   */
  async ofOne<Value>(number: PullRequestNumber, work: () => Promise<Value>): Promise<Found<Value>> {
    try {
      const value = await work()
      this.fault = null
      return { is: 'done', value }
    } catch (error) {
      if (!concernsOne(error)) throw error
      this.fault = `a request cannot be judged: ${error.message}`
      this.#parts.warn(number, error, 'a request cannot be judged')
      if (meaningForOne(error) === 'refusal')
        return { is: 'failed', words: `it cannot be judged, ${error.message}: ask again` }
      this.undecided.add(number)
      return { is: 'undecided' }
    }
  }
}
