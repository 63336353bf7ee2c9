/**
 * Forks: copies of the engine's state and of the model go on from steps of a run with other dice. There is no world
 * around them: any command may come that a server could get, and each answer is compared with the model. The run
 * itself goes on as before. Rule: S-343.
 */

import { beingMerged, isTerminal, runCommand } from '../../engine/index.ts'
import type {
  Command,
  CommandBody,
  EngineParts,
  Event,
  ImpactedTargets,
  MergeRefusal,
  Millis,
  Queue,
  QueueView,
  TestRun,
} from '../../engine/index.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { differenceAfter, modelOf } from '../judge/agrees-with-the-model.ts'
import { Model } from '../model/state.ts'
import type { RunContext, StepReader } from '../observe/run-context.ts'
import { sequenceOf } from '../random/draw.ts'

/** What is rare comes together late: with 32 of them a fork cost two thirds and found less than half. */
const commandsPerFork = 48

/** With more of them a fork costs more and comes to less. */
const fewInQueue = 5

/** A fork in a bisection finds what one at the next step does; in a quiet queue all depends on its dice. */
const stepsOfBisections = 2

export type Forked = {
  /** How many forks there were, and how many commands they had. */
  readonly forks: number
  readonly commands: number
  /** The first one in which engine and model differ, in sentences; null if none did. */
  readonly found: string | null
}

/** Pass `observer` to the run. */
export class Forks {
  readonly #parts: EngineParts
  #forks = 0
  #commands = 0
  #found: string | null = null

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  get result(): Forked {
    return { forks: this.#forks, commands: this.#commands, found: this.#found }
  }

  readonly observer = ({ seed, scenario, beginning }: RunContext): StepReader => {
    const model = modelOf(beginning(), scenario.queue)
    const runs = new Map<number, TestRun>()
    let [isOver, stepsBisecting] = [false, 0]
    return ({ command, events, queue, sequence }) => {
      if (isOver) return
      // What differs in the run itself, a property tells, and nothing after it can be compared.
      isOver = differenceAfter(model, command, { events, runs }) !== null
      if (isOver || this.#found !== null) return
      const isBisecting = queue.bisections.length > 0
      if (isBisecting) stepsBisecting++
      const isStart = isBisecting
        ? stepsBisecting % stepsOfBisections === 0
        : liveIn(queue).length <= fewInQueue
      if (!isStart) return
      const copy: Queue = JSON.parse(JSON.stringify(queue))
      const state = { queue: copy, model: copyOf(model), runs: new Map(runs) }
      this.#go(state, `${seed} after event ${sequence + events.length}`)
    }
  }

  #go({ queue, model, runs }: Forking, from: string): void {
    const habits = habitsIn(queue, diceFor(from))
    const commands: Command[] = []
    this.#forks++
    for (let next = opening(queue, habits); commands.length < commandsPerFork;) {
      for (const command of next) {
        this.#commands++
        commands.push(command)
        const story = this.#storyOf(command, { queue, model, runs })
        if (story === null) continue
        const lines = commands.map((each) => `\n  ${JSON.stringify(each)}`)
        this.#found = `In a fork of seed ${from}, ${story}:${lines.join('')}`
        return
      }
      next = nextCommands(queue, habits)
    }
  }

  #storyOf(command: Command, { queue, model, runs }: Forking): string | null {
    try {
      const outcome = runCommand(queue, command, this.#parts)
      const events: readonly Event[] | null = outcome.accepted ? outcome.events : null
      return differenceAfter(model, command, { events, runs })?.story ?? null
    } catch (error) {
      return `the engine threw: ${messageOf(error)}`
    }
  }
}

type Forking = {
  readonly queue: Queue
  readonly model: Model
  /** Every run so far. */
  readonly runs: Map<number, TestRun>
}

/** Nothing that happens to the copy changes the original. A clone alone would be no `Model`. */
function copyOf(model: Model): Model {
  const { settings, state, codeHost } = model
  return Object.assign(new Model(settings, state, codeHost), structuredClone(model))
}

type Dice = {
  readonly below: (end: number) => number
  readonly chance: (rate: number) => boolean
  /** One of them; undefined if there is none. */
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined
}

function diceFor(key: string): Dice {
  const next = sequenceOf(0, `fork ${key}`)
  const below = (end: number): number => Math.floor(next() * end)
  return { below, chance: (rate) => next() < rate, pick: (items) => items[below(items.length)] }
}

/**
 * What one fork does, and how often. In a bisection much is under way, and any move may come between. In a quiet queue
 * a few kinds of moves alone bring rare things together.
 */
type Habits = {
  readonly dice: Dice
  readonly moves: readonly Move[]
  readonly isBisecting: boolean
  /** The chances that a newcomer is urgent, or tested alone, and that it depends on the one before it. */
  readonly special: number
  readonly stacked: number
  /** The chance that the host refuses a merge. */
  readonly refused: number
}

function habitsIn({ bisections }: Queue, dice: Dice): Habits {
  const isBisecting = bisections.length > 0
  const others = disturbances.filter(() => isBisecting || dice.chance(0.15))
  return {
    dice,
    moves: [...progress, ...others],
    isBisecting,
    special: isBisecting ? 1 / 6 : 0,
    stacked: dice.pick([0, 0.5]) ?? 0,
    refused: isBisecting ? 0.2 : 0.5,
  }
}

/** What is rarely on in the swarm, so that it also meets states that come about without it. */
const settings = [
  { directMergeMode: 'always' },
  { canOptimisticallyMerge: true },
  { pendingFailureDepth: 1 },
  { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 },
  { batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 5 },
  { policy: 'adaptive' },
  { concurrency: 1 },
  { bisectionConcurrency: 1 },
] as const

/** How a fork begins: with other settings, a host that answers, and some newcomers. */
function opening(queue: Queue, habits: Habits): Command[] {
  const { dice, isBisecting } = habits
  const set = Object.assign({}, ...settings.filter(() => dice.chance(1 / 3)))
  const bodies: CommandBody[] = []
  if (!isBisecting || dice.chance(0.5)) bodies.push({ type: 'updateQueue', set })
  if (queue.codeHost === 'merges at once' && queue.line.length === 0) {
    bodies.push({ type: 'attachHost', codeHost: dice.chance(0.5) ? 'groups' : 'answers' })
  }
  if (!isBisecting && dice.chance(0.5)) bodies.push(...newcomers(queue, habits))
  return bodies.map((body) => ({ ...body, at: queue.now }))
}

/** Minutes until the next command. Much happens at one instant. */
const pauses = [0, 0, 1, 5, 10] as const

/** What the clock is due to say, or else one of the moves that are possible. */
function nextCommands(queue: Queue, habits: Habits): Command[] {
  const { dice, moves } = habits
  const at: Millis = queue.now + (dice.pick(pauses) ?? 0) * 60_000
  const { wakeAt } = queue
  if (wakeAt !== null && wakeAt <= at) return [{ type: 'wake', at: wakeAt }]
  const wanted = dice.below(moves.reduce((sum, { weight }) => sum + weight, 0))
  let before = 0
  const chosen = moves.filter(({ weight }) => (before += weight) > wanted).slice(0, 1)
  for (const { of } of [...chosen, ...progress]) {
    const bodies = of(queue, habits)
    if (bodies.length > 0) return bodies.map((body) => ({ ...body, at }))
  }
  return []
}

type Move = {
  readonly weight: number
  /** Nothing where it is not possible. */
  readonly of: (queue: Queue, habits: Habits) => readonly CommandBody[]
}

const aboutOne = (weight: number, bodyFor: (number: number, dice: Dice) => CommandBody): Move => ({
  weight,
  of(queue, { dice }) {
    const number = dice.pick(liveIn(queue))
    return number === undefined ? [] : [bodyFor(number, dice)]
  },
})

/** Every fork makes these moves. */
const progress: readonly Move[] = [
  { weight: 40, of: result },
  { weight: 60, of: answerOfTheHost },
  { weight: 12, of: newcomers },
]

/** A fork makes all of these moves, or few of them. */
const disturbances: readonly Move[] = [
  aboutOne(6, (number) => ({ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })),
  aboutOne(7, (number) => ({ type: 'restartTests', number })),
  aboutOne(8, (number, dice) => {
    return { type: 'setImpactedTargets', number, targets: targetsBy(dice) }
  }),
  aboutOne(3, (number, dice) => {
    const other = dice.below(2) ? { priority: 0 } : { noBatch: true }
    return { type: 'submitPullRequest', number, ...other }
  }),
  aboutOne(2, (number) => ({ type: 'reportPullRequest', number, greenOnTip: true })),
  { weight: 4, of: textConflict },
  { weight: 2, of: () => [{ type: 'reportPush' }] },
]

const liveIn = ({ pullRequests }: QueueView): number[] =>
  Object.values(pullRequests).flatMap(({ number, state }) => (isTerminal(state) ? [] : [number]))

/** It conflicts with another one, or with none any more. */
function textConflict(queue: Queue, { dice }: Habits): CommandBody[] {
  const [number, other] = [dice.pick(liveIn(queue)), dice.pick(liveIn(queue))]
  if (number === undefined || other === undefined) return []
  const conflictsWith = other === number || dice.below(2) === 0 ? [] : [other]
  return [{ type: 'reportPullRequest', number, conflictsWith }]
}

const mergesIn = ({ line, groups }: Queue): (readonly number[])[] =>
  line
    .map((id) => groups[id])
    .map((group) => (group ? beingMerged(group) : []))
    .filter((merging) => merging.length > 0)

const outcomes = ['passed', 'passed', 'failed', 'failed', 'passed', 'failed', 'errored'] as const

function result({ testRuns }: Queue, { dice }: Habits): CommandBody[] {
  const run = dice.pick(Object.values(testRuns))
  if (!run) return []
  const outcome = dice.pick(outcomes) ?? 'passed'
  const names =
    outcome === 'failed' && dice.below(2) === 0 ? [{ name: `test ${dice.below(2)}` }] : []
  const failed = names.length > 0 ? { failedTests: names } : {}
  return [{ type: 'finishTestRun', testRun: run.id, outcome, ...failed }]
}

const refusals: readonly MergeRefusal[] = [
  'GITHUB_API_MERGE_PR_FAILED',
  'START_TEST_RUN_MERGE_CONFLICT',
  'PR_UPDATED_AT_MERGE_TIME',
  'TARGET_BRANCH_MOVED',
]

/** It lands all or the first of those requested, or refuses because of one. */
function answerOfTheHost(queue: Queue, { dice, ...rates }: Habits): CommandBody[] {
  const merging = dice.pick(mergesIn(queue)) ?? []
  const [first] = merging
  if (first === undefined) return []
  const refused = dice.chance(rates.refused) ? (dice.pick(refusals) ?? null) : null
  if (refused !== null) {
    return [{ type: 'finishMerge', number: dice.pick(merging) ?? first, refused }]
  }
  const numbers = merging.slice(0, 1 + dice.below(merging.length))
  const landed = merging.length > 1 ? { numbers } : {}
  return [{ type: 'finishMerge', number: first, ...landed, refused }]
}

/** Nobody else has such a number. */
const firstNumber = 10_000

/** Up to five at once, some of them on top of each other. */
function newcomers(queue: Queue, { dice, ...rates }: Habits): CommandBody[] {
  const { directMergeMode, mode } = queue.configuration
  const bodies: CommandBody[] = []
  const count = 1 + dice.below(5)
  let last = dice.pick(liveIn(queue))
  for (let nth = 0; nth < count; nth++) {
    const number = firstNumber + queue.last.submission + nth
    if (directMergeMode !== 'off' && dice.below(4) === 0) {
      bodies.push({ type: 'reportPullRequest', number, greenOnTip: true })
    }
    if (mode !== 'single' && dice.below(8) > 0) {
      bodies.push({ type: 'setImpactedTargets', number, targets: targetsBy(dice) })
    }
    bodies.push({
      type: 'submitPullRequest',
      number,
      ...(last !== undefined && dice.chance(rates.stacked) ? { dependsOn: [last] } : {}),
      ...(dice.chance(rates.special) ? { priority: 0 } : {}),
      ...(dice.chance(rates.special) ? { noBatch: true } : {}),
    })
    last = number
  }
  return bodies
}

/** As in the swarm, so that they meet those of the run. */
const targets = ['core', 'web', 'api', 'docs', 'ios'] as const

function targetsBy(dice: Dice): ImpactedTargets {
  const kind = dice.below(10)
  if (kind === 0) return 'ALL'
  return targets.filter(() => dice.below(kind === 1 ? 10 : 3) === 0)
}
