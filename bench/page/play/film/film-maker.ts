/** Films a run. Pass `observer` to it, and call `film` after it. */

import { isTerminal } from '../../../../engine/index.ts'
import type { Event, Millis, PullRequestNumber, TerminalState } from '../../../../engine/index.ts'
import type { RunContext, RunOutcome, StepReader } from '../../../../sim/observe/run-context.ts'
import { movedBy, phaseOf, type Phase } from '../../../../sim/report/recording/story.ts'
import { RunsProjection, runStyleOf } from '../../../../sim/report/recording/runs.ts'
import { RunTracker } from '../../../../sim/result/result-projection.ts'
import type { Step } from '../../../../sim/steps/step.ts'
import type { DepthPoint, Film, FilmedRun } from './film.ts'

/** A picture with more cannot be read, and takes long to draw. */
const mostPullRequests = 2000

type Reel = {
  readonly number: PullRequestNumber
  dependsOn: readonly PullRequestNumber[]
  readonly phases: { at: Millis; phase: Phase | null }[]
  readonly ends: { at: Millis; end: TerminalState }[]
}

export class FilmMaker {
  readonly #reels = new Map<PullRequestNumber, Reel>()
  readonly #leftOut = new Set<PullRequestNumber>()
  readonly #depth: DepthPoint[] = []
  readonly #runs = new RunsProjection({
    culpritsOf: () => [],
    isShown: (number) => this.#reels.has(number),
  })
  #inQueue = 0

  readonly observer = (context: RunContext): StepReader => {
    const tracker = new RunTracker(context.isFlake)
    return (step) => {
      const { at } = step.command
      for (const event of step.events) {
        const ended = tracker.onEvent(event, at)
        if (ended) this.#runs.onRunEnd(ended)
        this.#runs.onEvent(event)
        this.#note(event, at)
      }
      this.#follow(step)
    }
  }

  film({ endedAt }: RunOutcome): Film {
    const shown = new Set(this.#reels.keys())
    const runs = this.#runs.of(shown).flatMap((recorded): FilmedRun[] => {
      const { run, slot, end } = recorded
      const { kind } = run.owner
      // A run of the branch by itself tests nobody who is shown.
      if (kind === 'tip') return []
      const filmed = {
        id: run.id,
        kind,
        slot,
        tested: run.tested,
        below: run.base.length,
        from: run.startedAt,
        to: end?.at ?? endedAt,
        ending: runStyleOf(recorded),
      }
      return [filmed]
    })
    const slotsOf = (kind: FilmedRun['kind']): number =>
      runs.reduce((most, run) => (run.kind === kind ? Math.max(most, run.slot + 1) : most), 0)
    return {
      endedAt,
      pullRequests: [...this.#reels.values()],
      runs,
      depth: this.#depth,
      slots: { main: slotsOf('main'), bisection: slotsOf('bisection') },
      leftOut: this.#leftOut.size,
    }
  }

  #note(event: Event, at: Millis): void {
    if (event.type === 'pullRequestSubmitted') this.#begin(event.number, event.dependsOn)
    if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.#reels.get(event.number)?.ends.push({ at, end: event.to })
    }
  }

  #begin(number: PullRequestNumber, dependsOn: readonly PullRequestNumber[] = []): void {
    const known = this.#reels.get(number)
    if (known) known.dependsOn = dependsOn
    else if (this.#reels.size >= mostPullRequests) this.#leftOut.add(number)
    else this.#reels.set(number, { number, dependsOn, phases: [], ends: [] })
  }

  #follow({ command: { at }, events, queue }: Step): void {
    const before = this.#inQueue
    for (const number of new Set(events.flatMap(movedBy))) {
      const phases = this.#reels.get(number)?.phases
      if (!phases) continue
      const phase = phaseOf(queue.pullRequests[number])
      const last = phases.at(-1)
      if (phase === (last?.phase ?? null)) continue
      this.#inQueue += Number(phase !== null) - Number((last?.phase ?? null) !== null)
      if (last?.at === at) phases.pop()
      phases.push({ at, phase })
    }
    if (this.#inQueue === before) return
    if (this.#depth.at(-1)?.at === at) this.#depth.pop()
    this.#depth.push({ at, count: this.#inQueue })
  }
}
