/**
 * Forks: where a run takes a step of a kind that no run has taken, and at every eighth step, copies of the engine's
 * state and of the model go on from there with other dice. There is no world around them: any command may come that a server
 * could get, and each answer is compared with the model. The run itself goes on as before. Rule: S-343.
 */

import {
  beingMerged,
  isTerminal,
  runCommand,
  type Command,
  type CommandBody,
  type EngineParts,
  type Event,
  type ImpactedTargets,
  type MergeRefusal,
  type Millis,
  type Queue,
  type TestRun,
} from '../../engine/index.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { signatureOf } from '../coverage-marks/seen.ts'
import { differenceAfter, modelOf } from '../judge/agrees-with-the-model.ts'
import { Model } from '../model/state.ts'
import type { RunContext, StepReader } from '../observe/run-context.ts'
import { sequenceOf } from '../random/draw.ts'

/** Long enough for a bisection to end, and for those behind it to land. */
const commandsPerFork = 30

/**
 * After a hundred runs few steps are of a new kind, and a fork finds as much at any other one: what is rare comes
 * together by its dice.
 */
const stepsBetween = 8

export type Forked = {
  /** How many forks there were, and how many commands they had. */
  readonly forks: number
  readonly commands: number
  /** The first one in which engine and model differ, in sentences; null if none did. */
  readonly found: string | null
}

/** Pass `observer` to the run. It adds what it sees to `known`. */
export class Forks {
  readonly #parts: EngineParts
  readonly #known: Set<string>
  #forks = 0
  #commands = 0
  #found: string | null = null

  constructor(parts: EngineParts, known: Set<string>) {
    this.#parts = parts
    this.#known = known
  }

  get result(): Forked {
    return { forks: this.#forks, commands: this.#commands, found: this.#found }
  }

  readonly observer = ({ seed, scenario, beginning }: RunContext): StepReader => {
    const model = modelOf(beginning(), scenario.queue)
    const runs = new Map<number, TestRun>()
    let [isOver, steps] = [false, 0]
    return (step) => {
      if (isOver) return
      steps++
      const { command, events, queue, sequence } = step
      // What differs in the run itself, a property tells, and nothing after it can be compared.
      isOver = differenceAfter(model, command, { events, runs }) !== null
      if (isOver) return
      const signature = signatureOf(step)
      const isNew = !this.#known.has(signature)
      this.#known.add(signature)
      if (this.#found !== null || (!isNew && steps % stepsBetween !== 0)) return
      const copy: Queue = JSON.parse(JSON.stringify(queue))
      const state = { queue: copy, model: copyOf(model), runs: new Map(runs) }
      this.#go(state, `${seed} after event ${sequence + events.length}`)
    }
  }

  #go({ queue, model, runs }: Forking, from: string): void {
    const dice = diceFor(from)
    const commands: Command[] = []
    this.#forks++
    for (let index = 0; index < commandsPerFork && this.#found === null; index++) {
      const isNewSetting = index === 0 && dice.below(2) === 0
      for (const command of isNewSetting ? newSetting(queue, dice) : nextCommands(queue, dice)) {
        this.#commands++
        commands.push(command)
        const story = this.#storyOf(command, { queue, model, runs })
        if (story === null) continue
        const lines = commands.map((each) => `\n  ${JSON.stringify(each)}`)
        this.#found = `In a fork of seed ${from}, ${story}:${lines.join('')}`
        return
      }
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
  /** One of them; undefined if there is none. */
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined
}

function diceFor(key: string): Dice {
  const next = sequenceOf(0, `fork ${key}`)
  const below = (end: number): number => Math.floor(next() * end)
  return { below, pick: (items) => items[below(items.length)] }
}

/** What is rarely on in the swarm, so that it also meets states that come about without it. */
const settings = [
  { directMergeMode: 'always' },
  { canOptimisticallyMerge: true },
  { pendingFailureDepth: 1 },
  { batch: true, batchingMinSize: 2 },
  { policy: 'adaptive' },
  { concurrency: 1 },
] as const

const newSetting = ({ now: at }: Queue, dice: Dice): Command[] => [
  { type: 'updateQueue', set: dice.pick(settings) ?? {}, at },
]

/** Minutes until the next command. Much happens at one instant. */
const pauses = [0, 0, 1, 5, 10] as const

/** What the clock is due to say, or else one of the moves that are possible. */
function nextCommands(queue: Queue, dice: Dice): Command[] {
  const at: Millis = queue.now + (dice.pick(pauses) ?? 0) * 60_000
  const { wakeAt } = queue
  if (wakeAt !== null && wakeAt <= at) return [{ type: 'wake', at: wakeAt }]
  const wanted = dice.below(moves.reduce((sum, { weight }) => sum + weight, 0))
  let before = 0
  const move = moves.find(({ weight }) => (before += weight) > wanted)
  const bodies = move?.of(queue, dice) ?? []
  return (bodies.length > 0 ? bodies : newcomer(queue, dice)).map((body) => ({ ...body, at }))
}

type Move = {
  readonly weight: number
  /** Nothing where it is not possible. */
  readonly of: (queue: Queue, dice: Dice) => readonly CommandBody[]
}

const aboutOne =
  (bodiesFor: (number: number, queue: Queue, dice: Dice) => readonly CommandBody[]): Move['of'] =>
  (queue, dice) => {
    const number = dice.pick(liveIn(queue))
    return number === undefined ? [] : bodiesFor(number, queue, dice)
  }

const moves: readonly Move[] = [
  { weight: 40, of: result },
  { weight: 20, of: answerOfTheHost },
  { weight: 12, of: newcomer },
  {
    weight: 6,
    of: aboutOne((number) => [{ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' }]),
  },
  { weight: 7, of: aboutOne((number) => [{ type: 'restartTests', number }]) },
  // Engine and model do not agree yet on targets that come while a merge is under way.
  {
    weight: 8,
    of: aboutOne((number, queue, dice) =>
      mergesIn(queue).length > 0
        ? []
        : [{ type: 'setImpactedTargets', number, targets: targetsBy(dice) }],
    ),
  },
  {
    weight: 3,
    of: aboutOne((number, _queue, dice) => [
      {
        type: 'submitPullRequest',
        number,
        ...(dice.below(2) ? { priority: 0 } : { noBatch: true }),
      },
    ]),
  },
  {
    weight: 2,
    of: aboutOne((number) => [{ type: 'reportPullRequest', number, greenOnTip: true }]),
  },
  { weight: 2, of: () => [{ type: 'reportPush' }] },
]

const liveIn = ({ pullRequests }: Queue): number[] =>
  Object.values(pullRequests).flatMap(({ number, state }) => (isTerminal(state) ? [] : [number]))

const mergesIn = ({ line, groups }: Queue): (readonly number[])[] =>
  line
    .map((id) => groups[id])
    .map((group) => (group ? beingMerged(group) : []))
    .filter((merging) => merging.length > 0)

const outcomes = ['passed', 'passed', 'failed', 'failed', 'passed', 'failed', 'errored'] as const

function result({ testRuns }: Queue, dice: Dice): CommandBody[] {
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
function answerOfTheHost(queue: Queue, dice: Dice): CommandBody[] {
  const merging = dice.pick(mergesIn(queue)) ?? []
  const [first] = merging
  if (first === undefined) return []
  const refused = dice.below(5) === 0 ? (dice.pick(refusals) ?? null) : null
  if (refused !== null) {
    return [{ type: 'finishMerge', number: dice.pick(merging) ?? first, refused }]
  }
  const numbers = merging.slice(0, 1 + dice.below(merging.length))
  const landed = merging.length > 1 ? { numbers } : {}
  return [{ type: 'finishMerge', number: first, ...landed, refused }]
}

/** Nobody else has such a number. */
const firstNumber = 10_000

function newcomer(queue: Queue, dice: Dice): CommandBody[] {
  const number = firstNumber + queue.last.submission
  const below = dice.below(3) === 0 ? dice.pick(liveIn(queue)) : undefined
  return [
    ...(dice.below(4) === 0
      ? [{ type: 'reportPullRequest', number, greenOnTip: true } as const]
      : []),
    ...(dice.below(8) > 0
      ? [{ type: 'setImpactedTargets', number, targets: targetsBy(dice) } as const]
      : []),
    {
      type: 'submitPullRequest',
      number,
      ...(below === undefined ? {} : { dependsOn: [below] }),
      ...(dice.below(6) === 0 ? { priority: 0 } : {}),
      ...(dice.below(6) === 0 ? { noBatch: true } : {}),
    },
  ]
}

/** As in the swarm, so that they meet those of the run. */
const targets = ['core', 'web', 'api', 'docs', 'ios'] as const

function targetsBy(dice: Dice): ImpactedTargets {
  const kind = dice.below(10)
  if (kind === 0) return 'ALL'
  return targets.filter(() => dice.below(kind === 1 ? 10 : 3) === 0)
}
