/** Asks GitHub for a history: one request after the other, and no more than it allows. */

import { pino } from 'pino'
import { Interrupted } from '../../../server/terminal/command.ts'
import { GitHubClient } from '../../../server/github/client.ts'
import { CodeHostFailed, isLimited } from '../../../server/code-host/rest.ts'
import type { GitHubOptions } from '../../../server/hosting/options.ts'

export type Waiting = {
  /** Rejects with `Interrupted` when the user does not want to wait any more. */
  readonly wait: (ms: number) => Promise<void>
  /** Says why nothing happens for a while. */
  readonly tell: (words: string) => void
  readonly signal: AbortSignal
  readonly now: () => number
}

export type Parameters = Readonly<Record<string, string | number>>

/** The client remembers its answers, and these are many and large. */
const mostRemembered = 20

const pageSize = 100
const minuteMs = 60_000
const firstWaitMs = minuteMs
const longestWaitMs = 16 * minuteMs

export class HistoryApi {
  requests = 0
  readonly #options: GitHubOptions
  readonly #waiting: Waiting
  #client: GitHubClient

  constructor(options: GitHubOptions, waiting: Waiting) {
    this.#options = options
    this.#waiting = waiting
    this.#client = this.#newClient()
  }

  /** Requests that are left in this hour, by the last answer; null before the first. */
  get remaining(): number | null {
    return this.#client.remaining
  }

  /** The answer to a GET. Rejects with `CodeHostFailed`. */
  async get(path: string, parameters: Parameters = {}): Promise<unknown> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      if (this.#waiting.signal.aborted) throw new Interrupted()
      try {
        return await this.#ask(path, parameters)
      } catch (error) {
        if (!isLimit(error)) throw error
        // This one refuses to ask anything for a while, even how long that is.
        this.#client = this.#newClient()
        await this.#pause(waitMs)
      }
    }
  }

  /** Yields the pages of a list. Each is a list of objects, or has it in this field. */
  async *pages(
    path: string,
    parameters: Parameters,
    field: string | null,
  ): AsyncGenerator<{ readonly items: readonly unknown[]; readonly total: number }> {
    for (let page = 1; ; page += 1) {
      const answer = await this.get(path, { ...parameters, per_page: pageSize, page })
      const items = field === null ? answer : valueOf(answer, field)
      if (!Array.isArray(items)) throw new CodeHostFailed(`${path}: GitHub answers no list`, 200)
      yield { items, total: Number(valueOf(answer, 'total_count') ?? items.length) }
      if (items.length < pageSize) return
    }
  }

  async #ask(path: string, parameters: Parameters): Promise<unknown> {
    this.requests += 1
    if (this.requests % mostRemembered === 0) this.#client = this.#newClient()
    const octokit = await this.#client.octokit()
    const answer: { readonly data: unknown } = await octokit.request(`GET ${path}`, {
      ...(path.includes('{owner}') ? this.#client.at : {}),
      ...parameters,
    })
    return answer.data
  }

  /** Until the hour is over, if it is used up; else for a while, twice as long each time. */
  async #pause(waitMs: number): Promise<void> {
    const ms = (await this.#untilNextHour()) ?? waitMs
    const minutes = Math.ceil(ms / minuteMs)
    this.#waiting.tell(`GitHub allows no more requests now; going on in ${minutes} min`)
    await this.#waiting.wait(ms)
  }

  /** Null if requests are left in this hour: there were too many at once. */
  async #untilNextHour(): Promise<number | null> {
    try {
      const limits = await this.#ask('/rate_limit', {})
      const core = valueOf(valueOf(limits, 'resources'), 'core')
      if (Number(valueOf(core, 'remaining')) > 0) return null
      const leftMs = Number(valueOf(core, 'reset')) * 1_000 - this.#waiting.now()
      return Number.isNaN(leftMs) ? null : Math.max(leftMs, 0) + 1_000
    } catch (error) {
      if (isLimit(error)) return null
      throw error
    }
  }

  #newClient(): GitHubClient {
    // One request at a time needs no throttling, and a pause of an hour must be interruptible.
    const pace = { isThrottled: false, retryAfterMs: 1_000 }
    return new GitHubClient(this.#options, pino({ level: 'silent' }), pace)
  }
}

function isLimit(error: unknown): boolean {
  if (isLimited(error)) return true
  return (
    error instanceof CodeHostFailed && error.status === 403 && /rate limit/i.test(error.message)
  )
}

/** A field of an answer; undefined if it has none. */
export function valueOf(answer: unknown, field: string): unknown {
  if (typeof answer !== 'object' || answer === null) return undefined
  return Object.entries(answer).find(([name]) => name === field)?.[1]
}
