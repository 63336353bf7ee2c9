/** Who else is submitted while the line moves: at the rate of late, and like those that came. */

import type { CommandBody, Millis, PullRequestNumber } from '../../engine/index.ts'
import type { Draws } from './draws.ts'
import type { Observed, ObservedArrival } from './observed.ts'

const hourMs = 3_600_000
/** The rate is that of so much time. */
const windowMs = 2 * hourMs
/** Newcomers get numbers that no pull request has. */
const firstNumber: PullRequestNumber = 1_000_000_000

export class Newcomers {
  readonly #likes: readonly ObservedArrival[]
  readonly #draws: Draws
  readonly #meanGapMs: Millis
  #at: Millis
  #number = firstNumber

  constructor({ arrivals }: Pick<Observed, 'arrivals'>, now: Millis, draws: Draws) {
    this.#likes = arrivals
    this.#draws = draws
    this.#at = now
    const oldest = arrivals[0]?.at ?? now
    const since = Math.max(now - windowMs, oldest)
    const count = arrivals.filter(({ at }) => at > since).length
    const rate = draws.gamma(count + 0.5) / Math.max(hourMs / 2, now - since)
    this.#meanGapMs = arrivals.length === 0 ? Infinity : 1 / rate
  }

  /** The instant of the next one, and the commands that submit it; null if nobody comes any more. */
  next(): { readonly at: Millis; readonly commands: readonly CommandBody[] } | null {
    const like = this.#draws.oneOf(this.#likes)
    if (!like) return null
    this.#at += Math.ceil(this.#draws.exponential(this.#meanGapMs))
    const number = this.#number++
    const { priority, noBatch, targets } = like
    const submit: CommandBody = {
      type: 'submitPullRequest',
      number,
      noBatch,
      ...(priority === null ? {} : { priority }),
    }
    if (targets === null) return { at: this.#at, commands: [submit] }
    return { at: this.#at, commands: [{ type: 'setImpactedTargets', number, targets }, submit] }
  }
}
