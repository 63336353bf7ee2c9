/**
 * `--why 42`: one pull request's story, in sentences. When it waited and for whom, which run spoke
 * for or against it, and what decided. The simulator knows the truth, so it also says whether a
 * failure was deserved.
 */

import type { Colors } from 'picocolors/types.js'
import type {
  Event,
  EventOf,
  EventType,
  Millis,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import { columns } from '../command-line/text.ts'
import type { Moment } from '../moment.ts'
import type { RunContext } from '../run-context.ts'
import { toMinutes } from '../time.ts'
import {
  sentenceOfEnd,
  sentenceOfMove,
  sentenceOfRun,
  sentenceOfSubmission,
  type RunEnding,
} from './sentences.ts'
import { list, several } from './words.ts'

/** One thing that happened to it. */
type Line = { readonly at: Millis; readonly sentence: string }

/** What an event says about the pull request; null when it says nothing. */
type Tellers = {
  readonly [Type in EventType]?: (event: EventOf<Type>, moment: Moment) => string | null
}

/** A run under way that tests it, and who really makes it fail, if anybody does. */
type Watched = { readonly run: TestRun; readonly culprits: readonly PullRequestNumber[] }

/** Reads a run of a scenario for one pull request. */
export class Why {
  readonly #number: PullRequestNumber
  readonly #lines: Line[] = []
  readonly #runs = new Map<TestRunId, Watched>()

  constructor(number: PullRequestNumber) {
    this.#number = number
  }

  readonly reader = (context: RunContext): ((moment: Moment) => void) => {
    const tellers = this.#tellers(context)
    return (moment) => {
      for (const event of moment.events) {
        const sentence = tell(tellers, event.type, event, moment)
        if (sentence !== null) this.#lines.push({ at: moment.command.at, sentence })
      }
    }
  }

  /** The whole story, a line each, in minutes from the start. */
  story({ bold }: Colors): string {
    const head = `${bold(`pull request ${this.#number}`)}\n\n`
    if (this.#lines.length === 0) return `${head}  was never submitted\n\n`
    const rows = this.#lines.map(({ at, sentence }) => [`  ${toMinutes(at).toFixed(1)}`, sentence])
    return `${head}${columns([['  minute', ''], ...rows], [0])}\n`
  }

  #tellers(context: RunContext): Tellers {
    const isIts = (event: { readonly number: PullRequestNumber }): boolean =>
      event.number === this.#number
    const includes = (numbers: readonly PullRequestNumber[]): boolean =>
      numbers.includes(this.#number)
    return {
      pullRequestSubmitted: (event, moment) =>
        isIts(event) ? sentenceOfSubmission(event, moment) : null,
      pullRequestMoved: (event, moment) => (isIts(event) ? sentenceOfMove(event, moment) : null),
      testRunStarted: ({ run }) => (includes(run.tested) ? this.#start(run, context) : null),
      testRunFinished: ({ testRun, outcome }) => this.#end(testRun, outcome, context),
      testRunCancelled: ({ testRun, cause }) => this.#end(testRun, cause, context),
      membersProven: ({ members, run }) => (includes(members) ? `proven by run ${run.id}` : null),
      bisectionStarted: ({ members }) =>
        includes(members) ? `its batch failed, and is taken apart: ${list(members)}` : null,
      successorsNoted: ({ group, testRuns }, { queue }) => {
        const isHeld = includes(queue.groups[group]?.members ?? [])
        return isHeld && testRuns.length > 0
          ? `held for what is tested on top of it: ${several('run', testRuns)}`
          : null
      },
    }
  }

  #start(run: TestRun, { main }: RunContext): string {
    const culprits = main.culprits([...run.base, ...run.tested], run.tip)
    this.#runs.set(run.id, { run, culprits })
    return sentenceOfRun(run, this.#number)
  }

  #end(id: TestRunId, ending: RunEnding, { isFlake }: RunContext): string | null {
    const watched = this.#runs.get(id)
    if (!watched) return null
    this.#runs.delete(id)
    const culprits = isFlake(id) ? [] : watched.culprits
    return sentenceOfEnd({ id, ending, culprits, number: this.#number })
  }
}

function tell<Type extends EventType>(
  tellers: Tellers,
  type: Type,
  event: EventOf<Type> & Event,
  moment: Moment,
): string | null {
  return tellers[type]?.(event, moment) ?? null
}
