/**
 * Metamorphic relations (S-48): properties that compare a run with a run that was changed in a way
 * that must not matter.
 */

import { runCommand } from '../../engine/index.ts'
import type { EngineParts, Queue, Command, Event, ImpactedTargets } from '../../engine/index.ts'
import { messageOf } from '../../server/terminal/text.ts'
import type { StepReader } from '../observe/run-context.ts'
import type { Property } from '../observe/property.ts'
import { linesOf } from '../observe/observers.ts'
import { properties } from '../properties/index.ts'
import { newQueueOf } from '../run/engine-under-test.ts'
import { differenceOf, simulate } from '../run/simulate.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { toMinutes, toMillis } from '../scenario/time.ts'
import { copyOf, movedBy, pullRequestFields } from '../steps/fields.ts'
import { titled } from '../steps/titled.ts'

// A second engine gets the same commands, changed in a way that must not matter, and must return the same events, changed
// in the same way.

type Variation = {
  /** The time at which the second queue is made, in milliseconds. */
  readonly begin?: number
  /** How commands and events are changed: maps the name and the value of a field to the new value. */
  readonly change?: (name: string, value: unknown) => unknown
  /** Replaces the second queue between any two commands. */
  readonly between?: (queue: Queue) => Queue
}

type Watch = Property['watch']

const withSecondEngine =
  ({ begin, change, between = (queue) => queue }: Variation): Watch =>
  ({ inputs, check }) => {
    if (!inputs) return {}
    let queue = newQueueOf(inputs.scenario, begin)
    let isOver = false
    const answerTo = (command: Command): string => {
      try {
        queue = between(queue)
        const outcome = runCommand(queue, command, inputs.parts)
        if (outcome.accepted) return linesOf(command, outcome.events)
        return `${JSON.stringify(outcome.rejection)}\n`
      } catch (error) {
        return `${messageOf(error)}\n`
      }
    }
    return {
      atRest({ step }) {
        if (isOver) return
        const [command, events] = change
          ? copyOf([step.command, step.events], change)
          : [step.command, step.events]
        const difference = differenceOf(linesOf(command, events), answerTo(command), 0)
        isOver = difference !== null
        const { type, at } = step.command
        const sequence = step.sequence + Math.max(difference?.sameLines ?? 0, 1)
        const { first, second } = difference ?? {}
        check(!isOver, { at, sequence }, () => ({
          story: `After ${type} at minute ${toMinutes(at)}, where one engine says ${first ?? 'nothing more'}, the other says ${second ?? 'nothing more'}.`,
          pullRequests: [],
        }))
      },
    }
  }

/** About two weeks, and neither whole minutes nor whole days. */
const shiftMs = 1_234_567_891

const numbers: ReadonlySet<string> = new Set(pullRequestFields)

/**
 * Numbers far beyond all in use, and in reverse order. The order depends on priorities and submissions, never on
 * numbers.
 */
function renumbered(name: string, value: unknown): unknown {
  if (!numbers.has(name)) return value
  const otherOf = (one: unknown): unknown => (typeof one === 'number' ? 100_000_000 - one : one)
  return Array.isArray(value) ? value.map(otherOf) : otherOf(value)
}

/**
 * The order of things that happen at the same time is arbitrary, so every property must hold in
 * another order, too.
 */
const withOtherTies: Watch = ({ inputs, check }) => ({
  atEnd() {
    if (!inputs) return
    const { scenario, parts } = inputs
    const tieOrder = scenario.tieOrder === 'shuffled' ? 'submission' : 'shuffled'
    const options = { properties, parts, isUnhashed: true }
    for (const result of simulate({ ...scenario, tieOrder }, options).properties) {
      const { name, checked, violations } = result
      if (checked === 0) continue
      const { atMinutes = 0, sequence = 0, story = '', pullRequests = [] } = violations[0] ?? {}
      check(violations.length === 0, { at: toMillis(atMinutes), sequence }, () => ({
        story: `With "tieOrder": "${tieOrder}", ${name} is violated: ${story}`,
        pullRequests,
      }))
    }
  },
})

/**
 * In parallel mode pull requests that share no target do not affect each other. So a few extra ones
 * in a separate lane must not change when and how any of the others moves. The relation runs the
 * pull requests of the scenario, with their truth, in a queue with enough slots for all.
 *
 * All lanes share what the queue knows about flakes. A commit of another lane can change it: it makes
 * a repeated run one of another composition, so a flake remains unnoticed (E-13, E-82). What follows
 * on such a difference is left out.
 */
const withOtherLanes: Watch = ({ inputs, check, leaveOut }) => ({
  atEnd() {
    if (!inputs) return
    const { parts } = inputs
    const scenario = inLanes(inputs.scenario)
    const alone = movesIn(scenario, parts)
    // After more runs the engine may know flaky tests, and all lanes share that knowledge.
    if (alone.runs > runsAtMost) return
    const crowded = { ...scenario, pullRequests: withExtraPullRequests(scenario) }
    const together = movesIn(crowded, parts)
    const index = alone.moves.findIndex(({ text }, nth) => text !== together.moves[nth]?.text)
    const [first, second] = [alone.moves[index], together.moves[index]]
    const isSame = first === undefined && alone.moves.length === together.moves.length
    // What differs first is what the queue knows about flakes.
    const isExcused = first?.number === null || second?.number === null
    if (isExcused) leaveOut()
    const { at = 0, number = null } = first ?? second ?? {}
    check(isSame || isExcused, { at, sequence: 0 }, () => ({
      story: `Alone, ${first?.text ?? 'all is over'}; with a lane of its own beside it, ${second?.text ?? 'all is over'}.`,
      pullRequests: number === null ? [] : [number],
    }))
  },
})

const runsAtMost = 80
const manySlots = 1000

/**
 * Leaves out everything that belongs to the queue as a whole, because it would connect the lanes.
 */
function inLanes({ queue = {}, pullRequests = [], events = [], ...rest }: Scenario): Scenario {
  const { state: _state, ...settings } = queue
  const {
    traffic: _traffic,
    suiteFlakes: _flakes,
    faults: _faults,
    mend: _mend,
    suite: { startDelay: _startDelay, ...suite } = {},
    expect: _expect,
    ...kept
  } = rest
  return {
    ...kept,
    suite,
    queue: {
      ...settings,
      mode: 'parallel',
      concurrency: manySlots,
      bisectionConcurrency: manySlots,
      directMergeMode: 'off',
      // The adaptive policy reads rates of the whole queue.
      policy: 'documented',
      // So does what is known of the tip.
      tipTestMode: 'off',
    },
    pullRequests: pullRequests.map((entry) => {
      const { greenOnTip: _greenOnTip, targets, ...plain } = entry
      return { ...plain, targets: listed(targets) }
    }),
    events: events.flatMap(inLane),
    tieOrder: 'submission',
  }
}

function inLane(event: ScenarioEvent): ScenarioEvent[] {
  if (event.do === 'updateQueue' || event.do === 'setMergeable') return []
  // The line of every lane decides whether a host is attached, and whether somebody is forgotten.
  if (event.do === 'attachHost' || event.do === 'forget') return []
  if (event.do === 'setImpactedTargets') return [{ ...event, targets: listed(event.targets) }]
  return [event]
}

/**
 * Replaces ALL, which is in every lane, and missing targets, which would make the pull request
 * wait.
 */
const listed = (targets: ImpactedTargets = []): ImpactedTargets =>
  targets === 'ALL' ? ['core', 'web', 'api'] : targets

const extraPullRequests = 3
const firstStranger = 90_000_001

/** 71 ms: no time in a scenario has such a fraction. */
const aBit = 71 / 60_000

/**
 * Adds healthy pull requests shortly after the first, the middle and the last one. They are never
 * submitted at the same time as another command, because the order of the two could matter.
 */
function withExtraPullRequests({ pullRequests = [], queue = {} }: Scenario): PullRequestEntry[] {
  // One whose run takes too long would come again, at the time of another command.
  const { testingTimeoutMinutes: limit = 20 } = queue
  const added = Array.from({ length: extraPullRequests }, (_, nth): PullRequestEntry => {
    const position = Math.floor((nth * (pullRequests.length - 1)) / (extraPullRequests - 1))
    const { at = 0 } = pullRequests[position] ?? {}
    return {
      number: firstStranger + nth,
      at: at + aBit,
      testMinutes: Math.min(10, limit / 2) + aBit,
      targets: ['a lane of its own'],
    }
  })
  return [...pullRequests, ...added]
}

/** A move, or with null for the number what the queue has come to know about flakes. */
type TracedMove = { readonly text: string; readonly at: number; readonly number: number | null }

/**
 * The moves of all pull requests except the extra ones and what becomes known about flakes, in order,
 * and the number of runs.
 */
function movesIn(scenario: Scenario, parts: EngineParts): { moves: TracedMove[]; runs: number } {
  const moves: TracedMove[] = []
  let runs = 0
  const onEvent = (event: Event, at: number): void => {
    if (event.type === 'testRunStarted') runs++
    if (event.type === 'verdictContradicted' || event.type === 'flakyTestsSeen')
      moves.push({ at, number: null, text: `${event.type} ${event.flakyTests.join()} ${at}` })
    if (event.type !== 'pullRequestMoved' || event.number >= firstStranger) return
    const { number, to, reason } = event
    const why = reason === null ? '' : ` (${reason})`
    moves.push({ at, number, text: `${number} becomes ${to}${why} at minute ${toMinutes(at)}` })
  }
  const observer = (): StepReader => (step) => {
    for (const event of step.events) onEvent(event, step.command.at)
  }
  simulate(scenario, { parts, observers: [observer], isUnhashed: true })
  return { moves, runs }
}

export const relations: readonly Property[] = titled`
  restart-changes-nothing: An engine that is rebuilt from its own JSON before every command makes the same events.
    ${withSecondEngine({ between: (queue) => copyOf(queue) })}
  times-shift: When everything happens later by the same time, every event comes later by the same time, and nothing else is different.
    ${withSecondEngine({ begin: shiftMs, change: movedBy(shiftMs) })}
  numbers-are-names: When pull requests have other numbers, in another order, nothing else is different.
    ${withSecondEngine({ change: renumbered })}
  ties-are-free: When things that happen at the same time happen in another order, no property is violated.
    ${withOtherTies}
  lanes-keep-apart: In parallel mode, with enough slots, pull requests in a lane of their own change nothing for the others.
    ${withOtherLanes}
`.map(({ name, sentence, value: watch }) => ({ name, sentence, watch }))
