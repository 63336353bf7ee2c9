/**
 * Turns the events of a run into sentences about pull requests: what a pull request waits for, which
 * runs passed or failed with it, and what decided its outcome. The simulator knows the truth, so the
 * sentences also name the real culprits of a failure.
 */

import type { Colors } from 'picocolors/types.js'
import {
  isTerminal,
  type Command,
  type Event,
  type EventOf,
  type PullRequestNumber,
  type Rejection,
  type TestRun,
  type TestRunId,
  type Millis,
} from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import type { RunContext } from '../observe/run-context.ts'
import { columns } from '../../server/terminal/text.ts'
import { toMinutes } from '../scenario/time.ts'
import {
  culpritsOf,
  list,
  sentenceOfEnd,
  sentenceOfMove,
  sentenceOfRefusal,
  sentenceOfRewrite,
  sentenceOfRun,
  sentenceOfSubmission,
} from './sentences.ts'
import type { Culprits, RunEnding } from './sentences.ts'

type NarratedSentence = { readonly number: PullRequestNumber; readonly sentence: string }

/** The pull requests that an event concerns, and the sentence about each; null for none. */
type About = readonly [
  about: readonly PullRequestNumber[],
  sentence: (number: PullRequestNumber) => string | null,
]

/** A run in progress. */
type ObservedRun = { readonly run: TestRun; readonly culprits: Culprits }

/** Follows one run of a scenario. It must receive every event of the run, in order. */
export class Narrator {
  readonly #context: RunContext
  readonly #runs = new Map<TestRunId, ObservedRun>()

  constructor(context: RunContext) {
    this.#context = context
  }

  /** Returns the sentences about the selected pull requests. */
  narrate(
    event: Event,
    step: Step,
    isSelected: (number: PullRequestNumber) => boolean,
  ): NarratedSentence[] {
    if (event.type === 'testRunStarted') this.#follow(event.run, isSelected)
    const [about, sentenceOf] = this.#aboutOf(event, step) ?? [[], () => null]
    const sentences = about.filter(isSelected).flatMap((number) => {
      const sentence = sentenceOf(number)
      return sentence === null ? [] : [{ number, sentence }]
    })
    if (event.type === 'testRunFinished' || event.type === 'testRunCancelled') {
      this.#runs.delete(event.testRun)
    }
    return sentences
  }

  #aboutOf(event: Event, step: Step): About | null {
    if (event.type === 'pullRequestSubmitted')
      return [[event.number], () => sentenceOfSubmission(event, step)]
    if (event.type === 'pullRequestRewritten')
      return [[event.number], () => sentenceOfRewrite(event)]
    if (event.type === 'pullRequestMoved')
      return [[event.number], () => this.#sentenceOfMove(event, step)]
    if (event.type === 'testRunStarted')
      return [event.run.tested, (number) => sentenceOfRun(event.run, number)]
    if (event.type === 'testRunFinished') return this.#ended(event.testRun, event.outcome)
    if (event.type === 'testRunCancelled') return this.#ended(event.testRun, event.cause)
    if (event.type === 'runTimesRenewed') {
      const tested = [...this.#runs.values()].flatMap(({ run }) => run.tested)
      return [
        [...new Set(tested)],
        () => 'the server or the code host was away; its run gets its whole time again',
      ]
    }
    if (event.type === 'restartRequested')
      return [[event.number], () => 'its tests are to be run again, by request']
    if (event.type === 'membersProven')
      return [event.members, () => `proven by run ${event.run.id}`]
    if (event.type === 'bisectionStarted')
      return [
        event.members,
        () =>
          (event.others ?? 0) > 0
            ? 'its batch failed, and it is tested by itself'
            : `its batch failed and is bisected: ${list(event.members)}`,
      ]
    if (event.type !== 'holdStarted') return null
    const { groups, configuration } = step.queue
    const depth = configuration.pendingFailureDepth
    const whose = depth === 1 ? 'a successor' : `${depth} successors`
    const members = groups[event.group]?.members ?? []
    return [members, () => `the failure is held for the verdicts of ${whose}`]
  }

  #ended(id: TestRunId, ending: RunEnding): About {
    const culprits = this.#culpritsOf(id)
    const tested = this.#runs.get(id)?.run.tested ?? []
    return [tested, (number) => sentenceOfEnd({ id, ending, culprits, number })]
  }

  #sentenceOfMove(event: EventOf<'pullRequestMoved'>, step: Step): string | null {
    const sentence = sentenceOfMove(event, step)
    const partners = event.to === 'FAILED' ? this.#partnersOf(event.number, step) : []
    return partners.length === 0
      ? sentence
      : `${sentence}; it breaks together with ${list(partners)}`
  }

  /** Returns the culprits of a run that is in progress or ends with the current event. */
  #culpritsOf(id: TestRunId): Culprits {
    return this.#context.isFlake(id) ? [] : (this.#runs.get(id)?.culprits ?? null)
  }

  /** Those on the branch or in the queue with which it breaks, though not alone. */
  #partnersOf(number: PullRequestNumber, { queue }: Step): PullRequestNumber[] {
    const { knowsTruth, truth, main } = this.#context
    if (!knowsTruth || truth.breaksByItself(number)) return []
    const isHere = (other: PullRequestNumber): boolean => {
      const state = queue.pullRequests[other]?.state
      return main.holds(other) || (state !== undefined && !isTerminal(state))
    }
    return truth.partnersOf(number).filter(isHere)
  }

  #follow(run: TestRun, isSelected: (number: PullRequestNumber) => boolean): void {
    if (!run.tested.some(isSelected)) return
    this.#runs.set(run.id, { run, culprits: culpritsOf(this.#context, run) })
  }
}

// `--why 42`: the story of one pull request, in sentences.

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

  /** A submission that the queue refuses has no event. */
  readonly onRejection = (command: Command, rejection: Rejection): void => {
    if (command.type !== 'submitPullRequest' || command.number !== this.#number) return
    this.#lines.push({ at: command.at, sentence: sentenceOfRefusal(rejection) })
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
