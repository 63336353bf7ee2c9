/**
 * What the events of a run say about pull requests, in sentences: who waited for whom, which run
 * spoke for or against it, and what decided. The simulator knows the truth, so it also says whether
 * a failure was deserved.
 */

import type {
  Event,
  EventOf,
  EventType,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import type { RunContext } from '../run-context.ts'
import { culpritsOf, type Culprits } from './culprits.ts'
import {
  sentenceOfEnd,
  sentenceOfMove,
  sentenceOfRun,
  sentenceOfSubmission,
  type RunEnding,
} from './sentences.ts'
import { list, several } from './words.ts'

/** What an event says about one pull request. */
type Telling = { readonly number: PullRequestNumber; readonly sentence: string }

/** Whom an event concerns, and what it says about each; null for nothing. */
type Teller<Type extends EventType> = {
  readonly about: (event: EventOf<Type>, moment: Moment) => readonly PullRequestNumber[]
  readonly sentence: (
    event: EventOf<Type>,
    number: PullRequestNumber,
    moment: Moment,
  ) => string | null
}

type Tellers = { readonly [Type in EventType]?: Teller<Type> }

/** A run under way. */
type Watched = { readonly run: TestRun; readonly culprits: Culprits }

/** Follows one run of a scenario. Must hear every event of it, in order. */
export class Narrator {
  readonly #context: RunContext
  readonly #runs = new Map<TestRunId, Watched>()
  readonly #tellers: Tellers

  constructor(context: RunContext) {
    this.#context = context
    this.#tellers = this.#makeTellers()
  }

  /** What the event says about those who are asked about. */
  tell(
    event: Event,
    moment: Moment,
    isAskedAbout: (number: PullRequestNumber) => boolean,
  ): Telling[] {
    if (event.type === 'testRunStarted') this.#follow(event.run, isAskedAbout)
    const tellings = tell(this.#tellers, event.type, event, { moment, isAskedAbout })
    if (event.type === 'testRunFinished' || event.type === 'testRunCancelled') {
      this.#runs.delete(event.testRun)
    }
    return tellings
  }

  /** Of a run that is under way, or is over with the event just told. */
  #culpritsOf(id: TestRunId): Culprits {
    return this.#context.isFlake(id) ? [] : (this.#runs.get(id)?.culprits ?? null)
  }

  #follow(run: TestRun, isAskedAbout: (number: PullRequestNumber) => boolean): void {
    if (!run.tested.some(isAskedAbout)) return
    this.#runs.set(run.id, { run, culprits: culpritsOf(this.#context, run) })
  }

  #makeTellers(): Tellers {
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
        sentence: (event, _, moment) => sentenceOfSubmission(event, moment),
      },
      pullRequestMoved: {
        about: one,
        sentence: (event, _, moment) => sentenceOfMove(event, moment),
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
      membersProven: { about: members, sentence: ({ run }) => `proven by run ${run.id}` },
      bisectionStarted: {
        about: members,
        sentence: (event) => `its batch failed, and is taken apart: ${list(event.members)}`,
      },
      successorsNoted: {
        about: ({ group }, { queue }) => queue.groups[group]?.members ?? [],
        sentence: ({ testRuns }) =>
          testRuns.length > 0
            ? `held for what is tested on top of it: ${several('run', testRuns)}`
            : null,
      },
    }
  }
}

type Asked = {
  readonly moment: Moment
  readonly isAskedAbout: (number: PullRequestNumber) => boolean
}

function tell<Type extends EventType>(
  tellers: Tellers,
  type: Type,
  event: EventOf<Type> & Event,
  { moment, isAskedAbout }: Asked,
): Telling[] {
  const teller = tellers[type]
  if (!teller) return []
  const tellings: Telling[] = []
  for (const number of teller.about(event, moment)) {
    if (!isAskedAbout(number)) continue
    const sentence = teller.sentence(event, number, moment)
    if (sentence !== null) tellings.push({ number, sentence })
  }
  return tellings
}
