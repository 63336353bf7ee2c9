/**
 * Metamorphic relations (S-48): properties that compare a run with a run that was changed in a way
 * that must not matter.
 */

import { runCommand } from '../../engine/index.ts'
import type { EngineParts, Queue, Command, Event, ImpactedTargets } from '../../engine/index.ts'
import { differenceOf, type TraceDifference, simulate } from '../run/simulate.ts'
import { newQueueOf } from '../run/engine-under-test.ts'
import type { SeenStep } from '../steps/step.ts'
import type { Property } from '../observe/property.ts'
import { toMinutes, toMillis } from '../scenario/time.ts'
import { linesOf } from '../observe/observers.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { properties } from '../properties/index.ts'

// Compares the watched engine with a second one. The second engine gets the same commands, changed
// in a way that must not matter, and must return the same events, changed in the same way.

type Variation = Pick<Property, 'name' | 'sentence'> & {
  /** The time at which the second queue is made, in milliseconds. */
  readonly begin?: number
  /**
   * How commands and events are changed: maps the name and the value of a field to the new value.
   */
  readonly change?: (name: string, value: unknown) => unknown
  /** Replaces the second queue between any two commands. */
  readonly between?: (queue: Queue) => Queue
}

/** Returns the property that a variation changes nothing else. */
function varied(variation: Variation): Property {
  const { name, sentence } = variation
  return {
    name,
    sentence,
    watch({ inputs, check }) {
      if (!inputs) return {}
      const replica = new VariedQueue(
        newQueueOf(inputs.scenario, variation.begin),
        inputs.parts,
        variation,
      )
      let isOver = false
      return {
        atRest({ step }) {
          if (isOver) return
          const difference = replica.differenceIn(step)
          isOver = difference !== null
          const { at } = step.command
          const sequence = step.sequence + Math.max(difference?.sameLines ?? 0, 1)
          check(!isOver, { at, sequence }, () => ({
            story: storyOf(step, difference),
            pullRequests: [],
          }))
        },
      }
    },
  }
}

function storyOf({ command }: SeenStep, difference: TraceDifference | null): string {
  const first = difference?.first ?? 'nothing more'
  const second = difference?.second ?? 'nothing more'
  const at = `${command.type} at minute ${toMinutes(command.at)}`
  return `After ${at}, where one engine says ${first}, the other says ${second}.`
}

class VariedQueue {
  readonly #parts: EngineParts
  readonly #variation: Variation
  #queue: Queue

  constructor(queue: Queue, parts: EngineParts, variation: Variation) {
    this.#queue = queue
    this.#parts = parts
    this.#variation = variation
  }

  /** The first line of the trace in which the two engines differ; null if they agree. */
  differenceIn({ command, events }: SeenStep): TraceDifference | null {
    const { between } = this.#variation
    const changed = this.#changed(command)
    const expected = linesOf(changed, this.#changed(events))
    try {
      if (between) this.#queue = between(this.#queue)
      const outcome = runCommand(this.#queue, changed, this.#parts)
      const actual = outcome.accepted
        ? linesOf(changed, outcome.events)
        : `${JSON.stringify(outcome.rejection)}\n`
      return differenceOf(expected, actual, 0)
    } catch (error) {
      return differenceOf(expected, `${error instanceof Error ? error.message : 'error'}\n`, 0)
    }
  }

  #changed<T>(value: T): T {
    const { change } = this.#variation
    if (!change) return value
    const changed: T = JSON.parse(JSON.stringify(value, change))
    return changed
  }
}

/** The JSON of a queue holds the complete state of the engine. */
export const restartChangesNothing = varied({
  name: 'restart-changes-nothing',
  sentence:
    'An engine that is rebuilt from its own JSON before every command makes the same events.',
  between: (queue) => {
    const again: Queue = JSON.parse(JSON.stringify(queue))
    return again
  },
})

/** About two weeks, and neither whole minutes nor whole days. */
const shiftMs = 1_234_567_891

/** Fields that hold a time. */
const instants: ReadonlySet<string> = new Set([
  'at',
  'startedAt',
  'deadline',
  'notBefore',
  'heldUntil',
  'wakeAt',
  'since',
  'until',
])

/** The engine compares and adds times; their absolute values must not matter. */
export const timesShift = varied({
  name: 'times-shift',
  sentence:
    'When everything happens later by the same time, every event comes later by the same time, and nothing else is different.',
  begin: shiftMs,
  change: (name, value) =>
    instants.has(name) && typeof value === 'number' ? value + shiftMs : value,
})

/** Fields that hold the number of a pull request, or a list of them. */
const numbers: ReadonlySet<string> = new Set([
  'number',
  'with',
  'numbers',
  'members',
  'base',
  'tested',
  'conflictsWith',
  'dependsOn',
  'leftWith',
])

/** Far beyond all numbers in use, and in reverse order. */
const renumbered = (number: number): number => 100_000_000 - number

/** The order depends on priorities and submissions, never on numbers. */
export const numbersAreNames = varied({
  name: 'numbers-are-names',
  sentence: 'When pull requests have other numbers, in another order, nothing else is different.',
  change(name, value) {
    if (!numbers.has(name)) return value
    if (Array.isArray(value)) return value.map((each: unknown) => otherOf(each))
    return otherOf(value)
  },
})

const otherOf = (value: unknown): unknown => (typeof value === 'number' ? renumbered(value) : value)

/**
 * In parallel mode pull requests that share no target do not affect each other. So a few extra ones
 * in a separate lane must not change when and how any of the others moves. The relation runs the
 * pull requests of the scenario, with their truth, in a queue with enough slots for all.
 *
 * All lanes share what the queue knows about flakes. A commit of another lane can change it: it makes
 * a repeated run one of another composition, so a flake remains unnoticed (E-13, E-82). What follows
 * on such a difference is left out.
 */
export const lanesKeepApart: Property = {
  name: 'lanes-keep-apart',
  sentence:
    'In parallel mode, with enough slots, pull requests in a lane of their own change nothing for the others.',
  watch: ({ inputs, check, leaveOut }) => ({
    atEnd() {
      if (!inputs) return
      const scenario = inLanes(inputs.scenario)
      const alone = movesIn(scenario, inputs.parts)
      // After more runs the engine may know flaky tests, and all lanes share that knowledge.
      if (alone.runs > runsAtMost) return
      const together = movesIn(
        { ...scenario, pullRequests: withExtraPullRequests(scenario) },
        inputs.parts,
      )
      const index = alone.moves.findIndex(
        (move, position) => move.text !== together.moves[position]?.text,
      )
      const [first, second] = [alone.moves[index], together.moves[index]]
      const isSame = first === undefined && alone.moves.length === together.moves.length
      const isExcused = isAboutFlakes(first) || isAboutFlakes(second)
      if (isExcused) leaveOut()
      const { at = 0, number = null } = first ?? second ?? {}
      check(isSame || isExcused, { at, sequence: 0 }, () => ({
        story: `Alone, ${first?.text ?? 'all is over'}; with a lane of its own beside it, ${second?.text ?? 'all is over'}.`,
        pullRequests: number === null ? [] : [number],
      }))
    },
  }),
}

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

const isAboutFlakes = (move: TracedMove | undefined): boolean => move?.number === null

/**
 * The moves of all pull requests except the extra ones and what becomes known about flakes, in order,
 * and the number of runs.
 */
function movesIn(scenario: Scenario, parts: EngineParts): { moves: TracedMove[]; runs: number } {
  const moves: TracedMove[] = []
  let runs = 0
  const onEvent = (event: Event, { at }: Command): void => {
    if (event.type === 'testRunStarted') runs++
    if (event.type === 'verdictContradicted' || event.type === 'flakyTestsSeen')
      moves.push({ at, number: null, text: `${event.type} ${event.flakyTests.join()} ${at}` })
    if (event.type !== 'pullRequestMoved' || event.number >= firstStranger) return
    const { number, to, reason } = event
    const reasonText = reason === null ? '' : ` (${reason})`
    moves.push({
      at,
      number,
      text: `${number} becomes ${to}${reasonText} at minute ${toMinutes(at)}`,
    })
  }
  const observer = () => (step: { command: Command; events: readonly Event[] }) => {
    for (const event of step.events) onEvent(event, step.command)
  }
  simulate(scenario, { parts, observers: [observer], isUnhashed: true })
  return { moves, runs }
}

/**
 * The order of things that happen at the same time is arbitrary, so every property must hold in
 * another order, too.
 */
export const tiesAreFree: Property = {
  name: 'ties-are-free',
  sentence:
    'When things that happen at the same time happen in another order, no property is violated.',
  watch: ({ inputs, check }) => ({
    atEnd() {
      if (!inputs) return
      const { scenario, parts } = inputs
      const tieOrder = scenario.tieOrder === 'shuffled' ? 'submission' : 'shuffled'
      const { properties: results } = simulate(
        { ...scenario, tieOrder },
        { properties, parts, isUnhashed: true },
      )
      for (const { name, checked, violations } of results) {
        if (checked === 0) continue
        const { atMinutes = 0, sequence = 0, story = '', pullRequests = [] } = violations[0] ?? {}
        check(violations.length === 0, { at: toMillis(atMinutes), sequence }, () => ({
          story: `With "tieOrder": "${tieOrder}", ${name} is violated: ${story}`,
          pullRequests,
        }))
      }
    },
  }),
}

export const relations: readonly Property[] = [
  restartChangesNothing,
  timesShift,
  numbersAreNames,
  tiesAreFree,
  lanesKeepApart,
]
