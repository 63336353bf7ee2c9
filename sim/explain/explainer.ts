/** `--why 42`: the story of one pull request, in sentences. */

import type { Colors } from 'picocolors/types.js'
import type { Millis, PullRequestNumber } from '../../engine/index.ts'
import { columns } from '../../server/terminal/text.ts'
import type { Step } from '../steps/step.ts'
import type { RunContext } from '../observe/run-context.ts'
import { toMinutes } from '../scenario/time.ts'
import { Narrator } from './narrator.ts'

/** A step of the story. */
type StoryLine = { readonly at: Millis; readonly sentence: string }

/** Observes a run and collects the story of one pull request. */
export class Explainer {
  readonly #number: PullRequestNumber
  readonly #lines: StoryLine[] = []

  constructor(number: PullRequestNumber) {
    this.#number = number
  }

  readonly observer = (context: RunContext): ((step: Step) => void) => {
    const narrator = new Narrator(context)
    const isSelected = (number: PullRequestNumber): boolean => number === this.#number
    return (step) => {
      for (const event of step.events) {
        for (const { sentence } of narrator.narrate(event, step, isSelected)) {
          this.#lines.push({ at: step.command.at, sentence: withActor(sentence, step) })
        }
      }
    }
  }

  /** Whether anything happened to the pull request. */
  get hasStory(): boolean {
    return this.#lines.length > 0
  }

  /**
   * Returns the whole story, one step per line. Times are minutes from the start. If `start` is given,
   * they are calendar times.
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

/** Tells whose command caused it, if the recording says so. */
function withActor(sentence: string, { by }: Step): string {
  return by === undefined ? sentence : `${sentence} (by token ${by})`
}
