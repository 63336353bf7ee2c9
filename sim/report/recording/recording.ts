/** All that a report tells of a run beyond its result. Give `reader` to the run, and write after it. */

import { isTerminal, type Event, type PullRequestNumber } from '../../../engine/index.ts'
import type { Moment } from '../../moment.ts'
import type { Violation } from '../../properties/property.ts'
import { MainHealth } from '../../result/main-health.ts'
import { RunLedger } from '../../result/run-ledger.ts'
import { UnprovenMergesBook } from '../../result/unproven-merges.ts'
import type { MomentReader, RunContext } from '../../run-context.ts'
import type { Book } from '../../result/book.ts'
import { culpritsOf } from '../../why/culprits.ts'
import { Narrator } from '../../why/narrator.ts'
import { Depth } from './depth.ts'
import { FlakesBook } from './flakes.ts'
import { Happenings } from './happenings.ts'
import { MinutesBook } from './minutes.ts'
import { movedBy, phaseOf, type Phase } from './phase.ts'
import { RunsBook, type RecordedRun } from './runs.ts'
import { addStay, addStep, type Remark, type Story } from './story.ts'
import { StoryWindow } from './window.ts'

/** So many pull requests are told of one by one. */
const mostStories = 1000

export class Recording {
  readonly depth = new Depth()
  readonly minutes = new MinutesBook()
  readonly flakes = new FlakesBook()
  readonly happenings = new Happenings()
  readonly #window: StoryWindow
  readonly #phases = new Map<PullRequestNumber, Phase>()
  #runs: RunsBook | null = null

  constructor(most = mostStories) {
    this.#window = new StoryWindow(most)
  }

  readonly reader = (context: RunContext): MomentReader => {
    const narrator = new Narrator(context)
    const ledger = new RunLedger(context.isFlake)
    const books = this.#books(context)
    return (moment) => {
      const { command, events, queue } = moment
      const seen = { at: command.at, queue }
      for (const event of events) {
        const ended = ledger.see(event, command.at)
        this.#narrate(event, moment, narrator)
        for (const book of books) {
          if (ended) book.seeEnd?.(ended)
          book.see?.(event, seen)
        }
      }
      if (command.type === 'finishTestRun') {
        for (const { name } of command.flakyTests ?? []) this.flakes.seeRetried(name)
      }
      this.#follow(moment)
    }
  }

  /** Hears of violations as they are found: the first is what the reader will want to see. */
  readonly onViolation = (_violation: Violation): void => {
    this.#window.centreOn('violation')
  }

  get stories(): readonly Story[] {
    return this.#window.stories
  }

  /** The test runs of those in `stories`, by id. */
  get runs(): readonly RecordedRun[] {
    return this.#runs?.of(new Set(this.stories.map(({ number }) => number))) ?? []
  }

  #books(context: RunContext): readonly Book[] {
    const remark = (number: PullRequestNumber, what: Remark): void => {
      this.#window.find(number)?.remarks.add(what)
    }
    this.#runs = new RunsBook({
      culpritsOf: (run) => culpritsOf(context, run),
      isTold: (number) => this.#window.find(number) !== undefined,
    })
    return [
      this.#runs,
      this.minutes,
      this.flakes,
      this.happenings,
      new MainHealth(context, (number, what) => remark(number, what)),
      new UnprovenMergesBook((number) => remark(number, 'unproven')),
    ]
  }

  /** One whom there is no room for when it comes gets its story when it starts, if it does. */
  #narrate(event: Event, moment: Moment, narrator: Narrator): void {
    const { at } = moment.command
    if (event.type === 'pullRequestSubmitted') {
      if (!this.#window.find(event.number) && this.#window.hasRoom) this.#window.begin(event.number)
    } else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#storyOf(number, moment)
    } else if (event.type === 'pullRequestMoved') {
      const { number, to } = event
      const hasBegun = to !== 'PENDING' && to !== 'NOT_READY'
      const story = hasBegun ? this.#storyOf(number, moment) : this.#window.find(number)
      if (story) story.end = isTerminal(to) ? to : null
    }
    const isTold = (number: PullRequestNumber): boolean => this.#window.find(number) !== undefined
    for (const { number, sentence } of narrator.tell(event, moment, isTold)) {
      const story = this.#window.find(number)
      if (story) addStep(story, at, sentence)
    }
  }

  #storyOf(number: PullRequestNumber, { command, queue }: Moment): Story {
    const known = this.#window.find(number)
    if (known) return known
    const story = this.#window.begin(number)
    const at = queue.pullRequests[number]?.submittedAt ?? command.at
    addStep(story, at, 'submitted')
    addStay(story, at, 'waiting')
    return story
  }

  /** Where everybody stands after the command. */
  #follow({ command: { at }, events, queue }: Moment): void {
    let hasMoved = false
    for (const number of events.flatMap(movedBy)) {
      const before = this.#phases.get(number) ?? null
      const phase = phaseOf(queue.pullRequests[number])
      if (phase === before) continue
      hasMoved = true
      this.depth.move(before, phase)
      if (phase === null) this.#phases.delete(number)
      else this.#phases.set(number, phase)
      const story = this.#window.find(number)
      if (story) addStay(story, at, phase)
    }
    if (hasMoved && this.depth.note(at)) this.#window.centreOn('deepest')
  }
}
