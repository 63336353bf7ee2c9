/**
 * Turns the events of a run into sentences about pull requests: what a pull request waits for, which
 * runs passed or failed with it, and what decided its outcome. The simulator knows the truth, so the
 * sentences also name the real culprits of a failure.
 */

import {
  isTerminal,
  type Event,
  type EventOf,
  type EventType,
  type PullRequestNumber,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import type { RunContext } from '../observe/run-context.ts'
import {
  type Culprits,
  culpritsOf,
  list,
  type RunEnding,
  sentenceOfEnd,
  sentenceOfMove,
  sentenceOfRun,
  sentenceOfSubmission,
} from './sentences.ts'

/** A sentence about one pull request. */
type NarratedSentence = { readonly number: PullRequestNumber; readonly sentence: string }

/** The pull requests that an event concerns, and the sentence about each; null for none. */
type EventNarrator<Type extends EventType> = {
  readonly about: (event: EventOf<Type>, step: Step) => readonly PullRequestNumber[]
  readonly sentence: (event: EventOf<Type>, number: PullRequestNumber, step: Step) => string | null
}

type EventNarrators = { readonly [Type in EventType]?: EventNarrator<Type> }

/** A run in progress. */
type ObservedRun = { readonly run: TestRun; readonly culprits: Culprits }

/** Follows one run of a scenario. It must receive every event of the run, in order. */
export class Narrator {
  readonly #context: RunContext
  readonly #runs = new Map<TestRunId, ObservedRun>()
  readonly #narrators: EventNarrators

  constructor(context: RunContext) {
    this.#context = context
    this.#narrators = this.#makeNarrators()
  }

  /** Returns the sentences about the selected pull requests. */
  narrate(
    event: Event,
    step: Step,
    isSelected: (number: PullRequestNumber) => boolean,
  ): NarratedSentence[] {
    if (event.type === 'testRunStarted') this.#follow(event.run, isSelected)
    const sentences = narrate(this.#narrators, event.type, event, { step, isSelected })
    if (event.type === 'testRunFinished' || event.type === 'testRunCancelled') {
      this.#runs.delete(event.testRun)
    }
    return sentences
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

  #makeNarrators(): EventNarrators {
    const one = ({ number }: { readonly number: PullRequestNumber }): PullRequestNumber[] => [
      number,
    ]
    const members = (event: {
      readonly members: readonly PullRequestNumber[]
    }): readonly PullRequestNumber[] => event.members
    const testedIn = ({ testRun }: { readonly testRun: TestRunId }): readonly PullRequestNumber[] =>
      this.#runs.get(testRun)?.run.tested ?? []
    const ended = (id: TestRunId, ending: RunEnding, number: PullRequestNumber): string =>
      sentenceOfEnd({ id, ending, culprits: this.#culpritsOf(id), number })
    return {
      pullRequestSubmitted: {
        about: one,
        sentence: (event, _, step) => sentenceOfSubmission(event, step),
      },
      pullRequestMoved: {
        about: one,
        sentence: (event, _, step) => {
          const sentence = sentenceOfMove(event, step)
          const partners = event.to === 'FAILED' ? this.#partnersOf(event.number, step) : []
          return partners.length === 0
            ? sentence
            : `${sentence}; it breaks together with ${list(partners)}`
        },
      },
      testRunStarted: {
        about: ({ run }) => run.tested,
        sentence: ({ run }, number) => sentenceOfRun(run, number),
      },
      testRunFinished: {
        about: testedIn,
        sentence: ({ testRun, outcome }, number) => ended(testRun, outcome, number),
      },
      testRunCancelled: {
        about: testedIn,
        sentence: ({ testRun, cause }, number) => ended(testRun, cause, number),
      },
      restartRequested: { about: one, sentence: () => 'its tests are to be run again, by request' },
      membersProven: { about: members, sentence: ({ run }) => `proven by run ${run.id}` },
      bisectionStarted: {
        about: members,
        sentence: (event) => `its batch failed and is bisected: ${list(event.members)}`,
      },
      holdStarted: {
        about: ({ group }, { queue }) => queue.groups[group]?.members ?? [],
        sentence: (_, _number, { queue }) => {
          const { pendingFailureDepth } = queue.configuration
          return `the failure is held for the verdicts of ${pendingFailureDepth === 1 ? 'a successor' : `${pendingFailureDepth} successors`}`
        },
      },
    }
  }
}

type NarrationContext = {
  readonly step: Step
  readonly isSelected: (number: PullRequestNumber) => boolean
}

function narrate<Type extends EventType>(
  narrators: EventNarrators,
  type: Type,
  event: EventOf<Type> & Event,
  { step, isSelected }: NarrationContext,
): NarratedSentence[] {
  const narrator = narrators[type]
  if (!narrator) return []
  const sentences: NarratedSentence[] = []
  for (const number of narrator.about(event, step)) {
    if (!isSelected(number)) continue
    const sentence = narrator.sentence(event, number, step)
    if (sentence !== null) sentences.push({ number, sentence })
  }
  return sentences
}
