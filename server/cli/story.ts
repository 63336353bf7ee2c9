/** What happens in a queue, as lines for a person who watches a terminal. */

import {
  isTerminal,
  restartReasons,
  type Event,
  type EventOf,
  type Reason,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import { type Ahead, AheadOf } from '../history/timeline.ts'
import { wordsOfStop } from '../hosting/wanted.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { listed, firstFew, joinedLines, oneLine } from '../terminal/text.ts'
import { leftWords } from '../views/stack.ts'
import { sentence, whyInFull, whyMoved } from '../views/why.ts'

type Row = readonly [what: string, who: string, why: string]

/** Why many are tested again, where lines of its own say so. */
const saidElsewhere: ReadonlySet<Reason> = new Set<Reason>([
  'BISECTION_REQUIRED',
  'BISECTION_TEST_RUN_PASSED',
])
const restarts = new Set<Reason>(restartReasons.filter((reason) => !saidElsewhere.has(reason)))

export class Story {
  readonly #runs = new Map<TestRunId, TestRun>()
  /** What those in the queue depend on, as far as their submission was seen. */
  readonly #below = new Map<number, readonly number[]>()
  /** The pull request that the next one to wait conflicts with, or depends on. */
  #awaited = 0

  /** The lines about the events of one command. `queue` is as it is after them; null: only the events are known. */
  linesOf(events: readonly Event[], stamp: string, queue: ManagedQueue | null = null): string {
    // Those to whom the same happens share a line.
    const rows = new Map<string, Row>()
    const aheadOf = new AheadOf()
    for (const event of events) {
      const row = this.#rowOf(event, queue, aheadOf.follow(event))
      if (!row) continue
      const [what, who, why] = row
      const key = event.type === 'pullRequestMoved' ? `${what} ${why}` : `${rows.size}`
      const before = rows.get(key)?.[1]
      rows.set(key, [what, before === undefined ? who : `${before} ${who}`, why])
    }
    return [...rows.values()].map((row) => lineOf(stamp, row)).join('')
  }

  #rowOf(event: Event, queue: ManagedQueue | null, ahead?: Ahead): Row | null {
    if (event.type === 'testRunStarted') {
      this.#runs.set(event.run.id, event.run)
      return [verbOf(event.run), testedIn(event.run), below(event.run)]
    }
    if (event.type === 'testRunFinished') return this.#finished(event, queue)
    if (event.type === 'testRunCancelled') this.#runs.delete(event.testRun)
    if (event.type === 'groupConflicted') this.#awaited = event.with
    if (event.type === 'pullRequestSubmitted' && event.dependsOn) {
      this.#below.set(event.number, event.dependsOn)
    }
    if (
      event.type === 'pullRequestMoved' &&
      event.to === 'PENDING_FAILURE' &&
      event.testRun === null
    ) {
      return this.#apart(event.number, queue)
    }
    if (event.type === 'verdictContradicted') return ['flake', '', firstFew(event.flakyTests)]
    return aboutQueue(event, queue, ahead)
  }

  #finished(event: EventOf<'testRunFinished'>, queue: ManagedQueue | null): Row | null {
    const run = this.#runs.get(event.testRun)
    if (!run) return null
    this.#runs.delete(event.testRun)
    const stop = run.owner.kind === 'tip' && queue ? wordsOfStop(queue) : null
    const tests = firstFew(event.failedTests.map(({ name }) => name))
    return [event.outcome, testedIn(run), stop ?? tests]
  }

  /** It waits without a run, for a stack (E-266) or because of a text conflict. */
  #apart(number: number, queue: ManagedQueue | null): Row {
    const seen = queue?.engine.queue.pullRequests[number]?.dependsOn ?? this.#below.get(number)
    return seen?.includes(this.#awaited)
      ? ['waits', `#${number}`, `It depends on #${this.#awaited}.`]
      : ['conflict', `#${number}`, `git cannot build it on top of #${this.#awaited}`]
  }
}

function aboutQueue(event: Event, queue: ManagedQueue | null, ahead?: Ahead): Row | null {
  if (event.type === 'queueStateChanged') {
    return queue && [event.to, '', queue.history.pausedFor?.words ?? '']
  }
  if (event.type === 'pullRequestSubmitted') return submitted(event, queue)
  return event.type === 'pullRequestMoved' ? moved(event, queue, ahead) : null
}

function submitted(
  { number, state }: EventOf<'pullRequestSubmitted'>,
  queue: ManagedQueue | null,
): Row | null {
  const past = queue?.history.pullRequests.get(number)
  if (!queue || !past) return null
  const { title, author } = past.described
  const by = author === '' ? '' : ` by ${author}`
  const held = state === 'NOT_READY' ? `; ${saidOf(queue, number)}` : ''
  return ['entered', `#${number}`, `${title}${by}${held}`]
}

function moved(
  event: EventOf<'pullRequestMoved'>,
  queue: ManagedQueue | null,
  ahead?: Ahead,
): Row | null {
  const { number, from, to, reason } = event
  const who = `#${number}`
  // One that was not ready has not been tested before.
  const isAgain =
    to === 'PENDING' && from !== 'NOT_READY' && reason !== null && restarts.has(reason)
  if (to === 'MERGED')
    return ['MERGED', who, reason === 'MERGE_GRAPH_MERGE' ? '' : whyIn(event, queue)]
  if (isAgain) return ['again', who, whyMoved(reason, { ahead }) ?? '']
  if (to === 'NOT_READY') return ['waits', who, queue ? saidOf(queue, number) : '']
  if (!isTerminal(to)) return null
  return [to === 'FAILED' ? 'FAILED' : 'left', who, whyIn(event, queue)]
}

function whyIn(
  { number, to, reason, evidence, leftWith }: EventOf<'pullRequestMoved'>,
  queue: ManagedQueue | null,
): string {
  const { failedIn = null, passedWithout = null } = evidence ?? {}
  if (failedIn !== null && passedWithout !== null) {
    return `run ${passedWithout} passed without it, run ${failedIn} did not with it`
  }
  if (leftWith !== undefined) return sentence(leftWords(reason, leftWith))
  // It can have been submitted again by now.
  const isStill = queue?.engine.queue.pullRequests[number]?.state === to
  return queue && isStill ? saidOf(queue, number) : (whyMoved(reason ?? '') ?? '')
}

function saidOf(queue: ManagedQueue, number: number): string {
  const pullRequest = queue.engine.queue.pullRequests[number]
  return pullRequest ? whyInFull(queue, pullRequest) : ''
}

const verbOf = ({ owner }: TestRun): string =>
  owner.kind === 'bisection' ? 'bisecting' : 'testing'

const below = ({ base }: TestRun): string => (base.length > 0 ? `on top of ${listed(base)}` : '')

const testedIn = ({ owner, tested }: TestRun): string =>
  owner.kind === 'tip' ? 'the branch' : listed(tested)

function lineOf(stamp: string, [what, who, why]: Row): string {
  const line = `${stamp}  ${what.padEnd(9)}  ${who.padEnd(15)}  ${why}`
  return `${oneLine(line.trimEnd())}\n`
}

/** The time of the day on this machine: `14:07:31`. */
export function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

// Of the log only what somebody must read is a line of the story.

type LogLine = {
  readonly level: number
  readonly time: number
  readonly msg: string
  readonly words: string
  /** The pull request, or the branch that would be one, which the line is about. */
  readonly number: number
  readonly ref: string
  readonly err: { readonly message: string }
  readonly queue: string
}

/** The level of pino from which somebody must read it. */
const warning = 40

/**
 * A line of the log for people, with all that its words are about; empty: nobody must read it. The queue is named
 * where there are `several`.
 */
export function warningIn(line: string, several = false): string {
  const found: Partial<LogLine> = JSON.parse(line)
  const { level = 0, time = 0, msg = '', words, err, number, ref = '', queue, ...rest } = found
  if (level < warning) return ''
  const why = words ?? err?.message
  const who = number === undefined ? ref.replace('refs/heads/', '') : `#${number}`
  const inQueue = several && queue !== undefined ? { queue } : {}
  const about = Object.entries({ ...inQueue, ...rest }).map(([name, value]: [string, unknown]) =>
    Array.isArray(value) ? firstFew(value) : `${name} ${String(value)}`,
  )
  const said = why === undefined ? msg : `${msg}: ${joinedLines(why)}`
  const more = about.length === 0 ? '' : ` (${about.join(', ')})`
  return lineOf(clock(time), ['WARNING', who, `${said}${more}`])
}
