/** Everything that a report needs in addition to the result of a run. Pass `observer` to the run. */

import { isTerminal, type Event, type PullRequestNumber } from '../../../engine/index.ts'
import type { Step } from '../../steps/step.ts'
import type { Violation } from '../../observe/property.ts'
import { MainHealth } from '../../result/main-health.ts'
import { RunTracker } from '../../result/run-tracker.ts'
import { UnprovenMergesProjection, type UnprovenMerges } from '../../result/unproven-merges.ts'
import type { StepReader, RunContext } from '../../observe/run-context.ts'
import type { ResultProjection } from '../../result/result-projection.ts'
import { culpritsOf } from '../../explain/culprits.ts'
import { Narrator } from '../../explain/narrator.ts'
import { BatchesProjection } from './batches.ts'
import { Depth } from './depth.ts'
import { FlakesProjection } from './flakes.ts'
import { Kept } from './kept.ts'
import { QueueTimeline } from './queue-timeline.ts'
import { MinutesProjection } from './minutes.ts'
import { movedBy, phaseOf, type Phase } from './phase.ts'
import { RunsProjection, type RecordedRun } from './runs.ts'
import { addPhaseChange, addStep, type Remark, type PullRequestStory } from './story.ts'
import { StoryWindow } from './window.ts'

/** The report shows at most this many pull requests individually. */
const mostStories = 1000

export class RunRecording {
  readonly depth = new Depth()
  readonly minutes = new MinutesProjection()
  readonly flakes = new FlakesProjection()
  readonly batches = new BatchesProjection()
  readonly queueTimeline = new QueueTimeline()
  /** The merged pull requests whose exact tree no run had passed, by cause. */
  readonly unproven: Readonly<Record<keyof UnprovenMerges, Kept>> = {
    batchMiddle: new Kept(),
    optimistic: new Kept(),
    disjointTargets: new Kept(),
    direct: new Kept(),
  }
  readonly #window: StoryWindow
  readonly #phases = new Map<PullRequestNumber, Phase>()
  #runs: RunsProjection | null = null

  constructor(most = mostStories) {
    this.#window = new StoryWindow(most)
  }

  readonly observer = (context: RunContext): StepReader => {
    const narrator = new Narrator(context)
    const runTracker = new RunTracker(context.isFlake)
    const projections = this.#projectionsOf(context)
    return (step) => {
      const { command, events, queue } = step
      const seen = { at: command.at, queue }
      for (const event of events) {
        const ended = runTracker.onEvent(event, command.at)
        this.#narrate(event, step, narrator)
        for (const collector of projections) {
          if (ended) collector.onRunEnd?.(ended)
          collector.onEvent?.(event, seen)
        }
      }
      if (command.type === 'finishTestRun') {
        for (const { name } of command.flakyTests ?? []) this.flakes.onRetried(name)
      }
      this.#follow(step)
    }
  }

  /** Called for each violation when it is found. The report shows the first one. */
  readonly onViolation = (_violation: Violation): void => {
    this.#window.centreOn('violation')
  }

  get stories(): readonly PullRequestStory[] {
    return this.#window.stories
  }

  /** The test runs of the pull requests in `stories`, by id. */
  get runs(): readonly RecordedRun[] {
    return this.#runs?.of(new Set(this.stories.map(({ number }) => number))) ?? []
  }

  #projectionsOf(context: RunContext): readonly ResultProjection[] {
    const remark = (number: PullRequestNumber, what: Remark): void => {
      this.#window.find(number)?.remarks.add(what)
    }
    this.#runs = new RunsProjection({
      culpritsOf: (run) => culpritsOf(context, run),
      isShown: (number) => this.#window.find(number) !== undefined,
    })
    return [
      this.#runs,
      this.minutes,
      this.flakes,
      this.batches,
      this.queueTimeline,
      new MainHealth(context, (number, what) => remark(number, what)),
      new UnprovenMergesProjection((number, cause) => {
        remark(number, 'unproven')
        this.unproven[cause].add([number])
      }),
    ]
  }

  /** If there is no room for a pull request at submission, its story begins when it starts. */
  #narrate(event: Event, step: Step, narrator: Narrator): void {
    const { at } = step.command
    if (event.type === 'pullRequestSubmitted') {
      if (!this.#window.find(event.number) && this.#window.hasRoom) this.#window.begin(event.number)
    } else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#storyOf(number, step)
    } else if (event.type === 'pullRequestMoved') {
      const { number, to } = event
      const hasBegun = to !== 'PENDING' && to !== 'NOT_READY'
      const story = hasBegun ? this.#storyOf(number, step) : this.#window.find(number)
      if (story) story.end = isTerminal(to) ? to : null
    }
    const isShown = (number: PullRequestNumber): boolean => this.#window.find(number) !== undefined
    for (const { number, sentence } of narrator.narrate(event, step, isShown)) {
      const story = this.#window.find(number)
      if (story) addStep(story, at, sentence)
    }
  }

  #storyOf(number: PullRequestNumber, { command, queue }: Step): PullRequestStory {
    const known = this.#window.find(number)
    if (known) return known
    const story = this.#window.begin(number)
    const at = queue.pullRequests[number]?.submittedAt ?? command.at
    addStep(story, at, 'submitted')
    addPhaseChange(story, at, 'waiting')
    return story
  }

  /** Records the phases that the command has changed. */
  #follow({ command: { at }, events, queue }: Step): void {
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
      if (story) addPhaseChange(story, at, phase)
    }
    if (hasMoved && this.depth.note(at)) this.#window.centreOn('deepest')
  }
}
