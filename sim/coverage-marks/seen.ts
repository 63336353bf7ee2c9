/**
 * What a run has shown of the engine, beside the coverage marks: signatures of its steps and states, and how
 * far it went. Marks are all met after a hundred runs; new signatures tell for how long seeds show something new.
 */

import type { BisectionId, Event, PullRequestNumber, QueueView } from '../../engine/index.ts'
import type { StepReader } from '../observe/run-context.ts'
import { shortDigest } from '../random/digest.ts'
import { isTerminal, type Step } from '../steps/step.ts'

/** The farthest that a run went, by name. */
export const watermarkNames = [
  'runs of one bisection',
  'restarts of one pull request',
  'merges past one pull request',
] as const

export type WatermarkName = (typeof watermarkNames)[number]

export type Seen = {
  /** The signatures of its steps: a command, and the kinds of events that it causes. */
  readonly steps: readonly string[]
  /** The signatures of its states: the groups in the line, the bisections, what the queue is set to. */
  readonly states: readonly string[]
  readonly watermarks: Readonly<Record<WatermarkName, number>>
}

/** More members are the same. */
const manyMembers = 4

/** The line as a reader sees it: `testing 2, passed 1 urgent`. */
function stateOf({ line, groups, bisections, state, configuration, slots }: QueueView): string {
  const places = line.map((id) => {
    const group = groups[id]
    const members = Math.min(manyMembers, group?.members.length ?? 0)
    return `${group?.phase.kind} ${members}${group?.urgent === true ? ' urgent' : ''}`
  })
  const searches = bisections.map(
    ({ size, proven }) => `${Math.min(manyMembers, size)}/${proven.length}`,
  )
  return [places.join(), searches.join(), state, configuration.mode, slots.bisection].join('|')
}

function stepOf({ command, events }: Step): string {
  return [command.type, ...new Set(events.map(nameOf))].join()
}

const nameOf = (event: Event): string =>
  event.type === 'pullRequestMoved' ? `${event.from} to ${event.to} ${event.reason}` : event.type

/** Pass `observer` to the run. */
export class SeenRecorder {
  readonly #steps = new Set<string>()
  readonly #states = new Set<string>()
  readonly #farthest = new Farthest()

  readonly observer = (): StepReader => (step) => {
    this.#steps.add(stepOf(step))
    this.#states.add(stateOf(step.queue))
    for (const event of step.events) this.#farthest.read(event)
  }

  get seen(): Seen {
    return {
      steps: [...this.#steps].map((text) => shortDigest(text)),
      states: [...this.#states].map((text) => shortDigest(text)),
      watermarks: this.#farthest.most,
    }
  }
}

class Farthest {
  readonly most: Record<WatermarkName, number> = {
    'runs of one bisection': 0,
    'restarts of one pull request': 0,
    'merges past one pull request': 0,
  }
  readonly #runs = new Map<BisectionId, number>()
  readonly #restarts = new Map<PullRequestNumber, number>()
  /** How many merged past each pull request that is still in the queue, in order of submission. */
  readonly #passed = new Map<PullRequestNumber, number>()

  read(event: Event): void {
    if (event.type === 'testRunStarted' && event.run.owner.kind === 'bisection') {
      this.#count(this.#runs, event.run.owner.bisection, 'runs of one bisection')
    }
    if (event.type === 'pullRequestSubmitted') {
      this.#restarts.set(event.number, 0)
      this.#passed.delete(event.number)
      this.#passed.set(event.number, 0)
    }
    if (event.type !== 'pullRequestMoved') return
    const { number, from, to } = event
    if (to === 'PENDING' && from !== 'NOT_READY') {
      this.#count(this.#restarts, number, 'restarts of one pull request')
    }
    if (to === 'MERGED') {
      for (const earlier of this.#passed.keys()) {
        if (earlier === number) break
        this.#count(this.#passed, earlier, 'merges past one pull request')
      }
    }
    if (isTerminal(to)) this.#passed.delete(number)
  }

  #count<Key>(counts: Map<Key, number>, key: Key, name: WatermarkName): void {
    const next = (counts.get(key) ?? 0) + 1
    counts.set(key, next)
    this.most[name] = Math.max(next, this.most[name])
  }
}
