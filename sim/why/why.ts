/** `--why 42`: one pull request's story, in sentences. */

import type { Colors } from 'picocolors/types.js'
import type { Millis, PullRequestNumber } from '../../engine/index.ts'
import { columns } from '../command-line/text.ts'
import type { Moment } from '../moment.ts'
import type { RunContext } from '../run-context.ts'
import { toMinutes } from '../time.ts'
import { Narrator } from './narrator.ts'

/** One thing that happened to it. */
type Line = { readonly at: Millis; readonly sentence: string }

/** Reads a run of a scenario for one pull request. */
export class Why {
  readonly #number: PullRequestNumber
  readonly #lines: Line[] = []

  constructor(number: PullRequestNumber) {
    this.#number = number
  }

  readonly reader = (context: RunContext): ((moment: Moment) => void) => {
    const narrator = new Narrator(context)
    const isIt = (number: PullRequestNumber): boolean => number === this.#number
    return (moment) => {
      for (const event of moment.events) {
        for (const { sentence } of narrator.tell(event, moment, isIt)) {
          this.#lines.push({ at: moment.command.at, sentence })
        }
      }
    }
  }

  /**
   * The whole story, a line each: in minutes from the start, or by the calendar where it is known
   * when that was.
   */
  story({ bold }: Colors, start: Millis | null = null): string {
    const head = `${bold(`pull request ${this.#number}`)}\n\n`
    if (this.#lines.length === 0) return `${head}  was never submitted\n\n`
    const title = start === null ? 'minute' : 'at'
    const timeOf = (at: Millis): string =>
      start === null ? toMinutes(at).toFixed(1) : new Date(start + at).toISOString()
    const rows = this.#lines.map(({ at, sentence }) => [`  ${timeOf(at)}`, sentence])
    return `${head}${columns([[`  ${title}`, ''], ...rows], [0])}\n`
  }
}
