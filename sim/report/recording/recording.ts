/** Everything that a report needs in addition to the result of a run. Pass `observer` to the run. */

import { isTerminal } from '../../../engine/index.ts'
import type { Event, Millis, PullRequestNumber } from '../../../engine/index.ts'
import { culpritsOf } from '../../explain/sentences.ts'
import { Narrator } from '../../explain/narrator.ts'
import type { Violation } from '../../observe/property.ts'
import type { RunContext, StepReader } from '../../observe/run-context.ts'
import { MainHealth } from '../../result/main-health.ts'
import { RunTracker } from '../../result/result-projection.ts'
import type { EndedRun, ResultContext, ResultProjection } from '../../result/result-projection.ts'
import { type UnprovenMerges, UnprovenMergesProjection } from '../../result/unproven-merges.ts'
import type { Step } from '../../steps/step.ts'
import { BatchesProjection, Kept, MinutesProjection } from './minutes.ts'
import { Depth } from './depth.ts'
import { movedBy, phaseOf, addPhaseChange, addStep, newStory } from './story.ts'
import type { Phase, PullRequestStory, Remark, StoryStep } from './story.ts'
import { type RecordedRun, RunsProjection } from './runs.ts'

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
  readonly #submitted = new Set<PullRequestNumber>()
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

  /** All pull requests, each once, also those without a story. */
  get pullRequests(): number {
    return Math.max(this.#submitted.size, this.stories.length)
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
      const { number, dependsOn = [] } = event
      this.#submitted.add(number)
      const known = this.#window.find(number)
      const story = known ?? (this.#window.hasRoom ? this.#window.begin(number) : undefined)
      if (story) story.dependsOn = dependsOn
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
    const { submittedAt: at = command.at, dependsOn = [] } = queue.pullRequests[number] ?? {}
    story.dependsOn = dependsOn
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

// Counts the runs that failed because of flakes, by test.

type Flaky = {
  /** Null for runs that failed without naming a test. */
  readonly test: string | null
  /** Runs that failed because of this test, alone or with other flaky tests, and their time. */
  failedRuns: number
  ms: Millis
  /** How often the test passed on a retry within a run. */
  retried: number
  /** The pull requests that the failed runs tested. */
  readonly members: Kept
}

class FlakesProjection implements ResultProjection {
  readonly #tests = new Map<string | null, Flaky>()
  /** Failures that the queue itself recognised as flakes. */
  recognised = 0
  #ended: EndedRun | null = null

  onRunEnd(ended: EndedRun): void {
    this.#ended = ended
  }

  onEvent(event: Event): void {
    if (event.type === 'testRunFinished' && this.#ended?.flaked === true) {
      const { lengthMs, run } = this.#ended
      const names = event.failedTests.map(({ name }) => name)
      for (const test of names.length > 0 ? names : [null]) {
        const found = this.#of(test)
        found.failedRuns++
        found.ms += lengthMs
        found.members.add(run.tested)
      }
    } else if (event.type === 'verdictContradicted') {
      this.recognised++
    }
    this.#ended = null
  }

  /** Called if a test failed, and passed when the runner retried it within the run. */
  onRetried(test: string): void {
    this.#of(test).retried++
  }

  /** The flaky tests, sorted by failed runs, most first. */
  get flaky(): Flaky[] {
    return [...this.#tests.values()].sort(
      (a, b) => b.failedRuns - a.failedRuns || b.retried - a.retried || byName(a.test, b.test),
    )
  }

  #of(test: string | null): Flaky {
    const found = this.#tests.get(test)
    if (found) return found
    const first = { test, failedRuns: 0, ms: 0, retried: 0, members: new Kept() }
    this.#tests.set(test, first)
    return first
  }
}

const byName = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : 1)

// Selects the pull requests that a report shows individually: all if there are few. If there are
// many, the ones around the first violation, or around the time at which the queue was deepest. It
// never holds more than twice the number of stories that the report shows.

/** The event around which the stories are selected. */
type Centre = 'deepest' | 'violation'

class StoryWindow {
  readonly #most: number
  /** All stories in memory: the latest and the picked ones. */
  readonly #known = new Map<PullRequestNumber, PullRequestStory>()
  /** The latest stories, oldest first. */
  readonly #latest = new Set<PullRequestStory>()
  /** The stories around the centre. */
  #picked: ReadonlySet<PullRequestStory> | null = null
  /** How many more stories must begin before the centre is in the middle of the latest ones. */
  #untilPick: number | null = null
  #centre: Centre = 'deepest'
  #begun = 0

  constructor(most: number) {
    this.#most = most
  }

  /** True as long as all stories fit. */
  get hasRoom(): boolean {
    return this.#begun < this.#most
  }

  find(number: PullRequestNumber): PullRequestStory | undefined {
    return this.#known.get(number)
  }

  /** Begins the story of a pull request that has none. If there is no room, drops the oldest. */
  begin(number: PullRequestNumber): PullRequestStory {
    const story = newStory(number)
    this.#begun++
    this.#known.set(number, story)
    this.#latest.add(story)
    if (this.#latest.size > this.#most) this.#dropOldest()
    if (this.#untilPick !== null && --this.#untilPick <= 0) this.#pick()
    return story
  }

  /** Selects the stories around the current one, unless there was a violation before. */
  centreOn(centre: Centre): void {
    if (this.#centre === 'violation') return
    this.#centre = centre
    this.#untilPick = Math.floor(this.#most / 2)
  }

  /** The selected stories, in the order in which they began. Call this after the run. */
  get stories(): readonly PullRequestStory[] {
    const areAll = this.#begun <= this.#most
    const picked = areAll || this.#untilPick !== null ? null : this.#picked
    return [...(picked ?? this.#latest)]
  }

  #pick(): void {
    const before = this.#picked ?? new Set()
    this.#picked = new Set(this.#latest)
    this.#untilPick = null
    for (const story of before) this.#forgetUnlessNeeded(story)
  }

  #dropOldest(): void {
    const [oldest] = this.#latest
    if (!oldest) return
    this.#latest.delete(oldest)
    this.#forgetUnlessNeeded(oldest)
  }

  #forgetUnlessNeeded(story: PullRequestStory): void {
    if (this.#latest.has(story) || this.#picked?.has(story) === true) return
    if (this.#known.get(story.number) === story) this.#known.delete(story.number)
  }
}

// The changes of the queue as a whole: its state, its settings, its branch.

/** More steps would be unreadable. */
const mostSteps = 500

export class QueueTimeline implements ResultProjection {
  readonly steps: StoryStep[] = []
  omitted = 0

  onEvent(event: Event, { at }: ResultContext): void {
    const sentence = sentenceOf(event)
    if (sentence !== null) this.#add(at, sentence)
  }

  #add(at: Millis, sentence: string): void {
    if (this.steps.length < mostSteps) this.steps.push({ at, sentence })
    else this.omitted++
  }
}

function sentenceOf(event: Event): string | null {
  if (event.type === 'queueStateChanged') return `${event.from} became ${event.to}`
  if (event.type === 'queueConfigured') {
    const settings = Object.entries(event.set).map(
      ([name, value]) => `${name} ${JSON.stringify(value)}`,
    )
    return `settings: ${settings.join(', ')}`
  }
  const isPush = event.type === 'tipMoved' && event.number === null
  return isPush ? 'a push from outside the queue changed the branch' : null
}
