/** A queue whose commands a test gives, the truth about its pull requests, and properties that watch it. */

import TinyQueue from 'tinyqueue'
import type { Branch, Truth } from '../../world/truth.ts'
import { Engine, newQueue, engineParts } from '../../../engine/index.ts'
import type {
  Command,
  CommandBody,
  Configuration,
  EngineParts,
  Queue,
  QueueView,
  TestRun,
  TestRunId,
  ImpactedTargets,
  Event,
} from '../../../engine/index.ts'
import type { Step } from '../../steps/step.ts'
import type { Property, RunFacts, Violation } from '../../observe/property.ts'
import { watchProperties } from '../../observe/observers.ts'

type TruthFacts = {
  readonly breaks?: readonly number[]
  /** Pairs that break only together. */
  readonly pairs?: readonly (readonly [number, number])[]
  /** If the first is on the branch, the second does not break. */
  readonly fixes?: readonly (readonly [number, number])[]
  /** Pairs that conflict as text. */
  readonly conflicts?: readonly (readonly [number, number])[]
}

/** Whether the tests would fail on a branch that holds exactly these. */
function isBroken(facts: TruthFacts, held: ReadonlySet<number>): boolean {
  const { breaks = [], pairs = [], fixes = [] } = facts
  const isFixed = (number: number): boolean =>
    fixes.some(([fixer, fixed]) => fixed === number && held.has(fixer))
  const isBad = (number: number): boolean => held.has(number) && !isFixed(number)
  return breaks.some(isBad) || pairs.some(([a, b]) => isBad(a) && isBad(b))
}

function truthOf(facts: TruthFacts): Truth {
  const { pairs = [], fixes = [], conflicts = [] } = facts
  const related = [...pairs, ...fixes, ...conflicts]
  return {
    relativesOf: (number) =>
      related.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : [])),
    beforeChange: () => undefined,
    beforeRenewal: () => undefined,
    emptyBranch: () => branchOf(facts),
    conflict: (a, b) =>
      facts.conflicts?.some((pair) => pair.includes(a) && pair.includes(b)) === true,
  }
}

function branchOf(facts: TruthFacts): Branch {
  /** Null is a commit from outside. */
  const commits: (number | null)[] = []
  const broken = (added: readonly number[], length = commits.length): boolean => {
    const held = commits.slice(0, length).filter((number) => number !== null)
    return isBroken(facts, new Set([...held, ...added]))
  }
  return {
    add: (number) => void commits.push(number),
    addForeign: () => void commits.push(null),
    holds: (number) => commits.includes(number),
    get isBroken() {
      return broken([])
    },
    wasMended: false,
    isBrokenByPush: () => false,
    wouldBreak: broken,
  }
}

// A small world for the tests of properties: the real engine, a heap of commands, a test runner
// whose results are true unless the test says otherwise, and a code host that may answer late.

const minuteMs = 60_000

/** How a run ends instead of with its true result. */
type RunFault = 'errored' | 'hangs' | 'flakes'

export type StreamSpec = {
  readonly configuration?: Partial<Configuration>
  readonly facts?: TruthFacts
  /** The fault of each faulty run, by the number of the run. */
  readonly faultyRuns?: Readonly<Record<number, RunFault>>
  /** The lengths of runs, used in rotation; 10 minutes each by default. */
  readonly runMinutes?: readonly number[]
  /** How many minutes the code host takes for a merge; null if merges happen at once. */
  readonly mergeMinutes?: number | null
  /** Pull requests whose merge the code host refuses. */
  readonly refuses?: readonly number[]
  readonly script: readonly ScriptedCommand[]
}

export type ScriptedCommand = { readonly atMinute: number; readonly command: CommandBody }

type DrivenRun = {
  readonly steps: readonly Step[]
  readonly queue: QueueView
  /** The runs that failed only because of a flake; none by default. */
  readonly flakes?: ReadonlySet<TestRunId>
}

/** No test needs this many commands: a run with more is in a loop. */
const commandsAtMost = 20_000

/** The queue of a world, before its first command. */
function queueOf({ configuration = {}, mergeMinutes }: StreamSpec): Queue {
  const takesTime = typeof mergeMinutes === 'number'
  return newQueue({ configuration, codeHost: takesTime ? 'answers' : 'merges at once' })
}

/** Sends the commands of the script, then sets the queue RUNNING, and runs until nothing is due. */
export function drive(world: StreamSpec, made: EngineParts = engineParts): DrivenRun {
  const due = new TinyQueue<{ order: number; command: Command }>(
    [],
    (a, b) => a.command.at - b.command.at || a.order - b.order,
  )
  let order = 0
  let now = 0
  const send = (inMinutes: number, body: CommandBody): void => {
    due.push({ order: order++, command: { ...body, at: now + Math.round(inMinutes * minuteMs) } })
  }
  const landed: (number | null)[] = []
  const flakes = new Set<TestRunId>()
  const engine = new Engine(
    queueOf(world),
    {
      clock: { wakeAt: (instant) => send((instant - now) / minuteMs, { type: 'wake' }) },
      testRunner: {
        start: (run) => report(world, run, { landed, flakes, send }),
        cancel: () => undefined,
      },
      codeHost: {
        merge([number = 0]) {
          const isRefused = world.refuses?.includes(number)
          const refused = isRefused ? 'GITHUB_API_MERGE_PR_FAILED' : null
          send(world.mergeMinutes ?? 0, { type: 'finishMerge', number, refused })
        },
      },
    },
    made,
  )

  const steps: Step[] = []
  let sequence = 0
  engine.subscribe((command, events) => {
    for (const event of events) if (event.type === 'tipMoved') landed.push(event.number)
    steps.push({ sequence, command, events, queue: structuredClone(engine.queue) })
    sequence += events.length
  })
  for (const { atMinute, command } of world.script) send(atMinute, command)
  const end = Math.max(0, ...world.script.map(({ atMinute }) => atMinute))
  send(end, { type: 'updateQueue', set: { state: 'RUNNING' } })
  for (let commands = 0; due.length > 0; commands++) {
    if (commands > commandsAtMost)
      throw new Error(`more than ${commandsAtMost} commands: the engine is in a loop`)
    const next = due.pop()
    if (!next) break
    now = next.command.at
    engine.dispatch(next.command)
  }
  return { steps, queue: engine.queue, flakes }
}

type ReportContext = {
  readonly landed: readonly (number | null)[]
  readonly flakes: Set<TestRunId>
  readonly send: (inMinutes: number, body: CommandBody) => void
}

function report(
  { facts = {}, faultyRuns = {}, runMinutes = [] }: StreamSpec,
  run: TestRun,
  { landed, flakes, send }: ReportContext,
): void {
  const fault = faultyRuns[run.id]
  if (fault === 'hangs') return
  const merged = landed.slice(0, run.tip).filter((number) => number !== null)
  const isBad = isBroken(facts, new Set([...merged, ...run.base, ...run.tested]))
  if (fault === 'flakes' && !isBad) flakes.add(run.id)
  const verdict = isBad || fault === 'flakes' ? 'failed' : 'passed'
  const outcome = fault === 'errored' ? 'errored' : verdict
  const minutes = runMinutes[run.id % runMinutes.length] ?? 10
  send(minutes, { type: 'finishTestRun', testRun: run.id, outcome })
}

// Functions to write a script. All times are minutes.

type SubmitFields = {
  readonly priority?: number
  readonly noBatch?: boolean
  readonly dependsOn?: readonly number[]
}
type ScriptSettings = Partial<Configuration> & {
  readonly state?: 'RUNNING' | 'PAUSED' | 'DRAINING'
}

export function submit(atMinute: number, ...numbers: readonly number[]): ScriptedCommand[] {
  return numbers.map((number) => submitAs(atMinute, number, {}))
}

export function submitAs(atMinute: number, number: number, fields: SubmitFields): ScriptedCommand {
  return at(atMinute, { type: 'submitPullRequest', number, ...fields })
}

export function cancel(atMinute: number, number: number): ScriptedCommand {
  return at(atMinute, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
}

export function update(atMinute: number, set: ScriptSettings): ScriptedCommand {
  return at(atMinute, { type: 'updateQueue', set })
}

/** The code host reports that a pull request conflicts as text with these others. */
export function conflict(
  atMinute: number,
  number: number,
  ...conflictsWith: readonly number[]
): ScriptedCommand {
  return at(atMinute, { type: 'reportPullRequest', number, conflictsWith })
}

export function at(atMinute: number, command: CommandBody): ScriptedCommand {
  return { atMinute, command }
}

// Worlds in parallel mode.

/** 1 and 3 share a lane, 2 and 4 each have a separate one, and 5 depends on every group ahead. */
const touched: Readonly<Record<number, ImpactedTargets>> = {
  1: ['web'],
  2: ['api'],
  3: ['web'],
  4: [],
  5: 'ALL',
}

/** A world in parallel mode in which pull requests 1 to 5 have the targets above. */
export function inLanes(
  script: readonly ScriptedCommand[],
  more: Omit<StreamSpec, 'script'> = {},
): StreamSpec & { readonly configuration: Partial<Configuration> } {
  const uploads = Object.entries(touched).map(([number, targets]) =>
    at(0, { type: 'setImpactedTargets', number: Number(number), targets }),
  )
  const configuration = { mode: 'parallel', concurrency: 4, ...more.configuration } as const
  return { ...more, configuration, script: [...uploads, ...script] }
}

// Runs of the test world, watched by properties.

type PropertyFindings = {
  readonly checks: number
  /** How many checks an exception has left out. */
  readonly leftOut: number
  readonly violations: readonly Violation[]
  readonly stories: readonly string[]
}

/** Runs a world, with the real engine by default, and returns the findings of a property. */
export function findingsOf(
  property: Property,
  world: StreamSpec,
  engine?: EngineParts,
): PropertyFindings {
  return checkProperties([property], world, drive(world, engine))
}

/** Passes a run to properties, from its first step to its end, and returns their findings. */
export function checkProperties(
  properties: readonly Property[],
  world: StreamSpec,
  { steps, queue, flakes }: DrivenRun,
): PropertyFindings {
  const facts: RunFacts = {
    truth: truthOf(world.facts ?? {}),
    knowsTruth: true,
    isFlake: (testRun) => flakes?.has(testRun) === true,
    beginning: () => queueOf(world),
  }
  const violations: Violation[] = []
  const run = watchProperties(properties, facts, (violation) => void violations.push(violation))
  for (const step of steps) run.onStep(step)
  run.atEnd(queue)
  const checks = run.results.reduce((sum, { checked }) => sum + checked, 0)
  const leftOut = run.judged.reduce((sum, each) => sum + each.leftOut, 0)
  return { checks, leftOut, violations, stories: violations.map(({ story }) => story) }
}

export function altered(
  { steps, ...run }: DrivenRun,
  alter: (event: Event, step: Step) => readonly Event[],
): DrivenRun {
  return {
    steps: steps.map((step) => ({
      ...step,
      events: step.events.flatMap((event) => alter(event, step)),
    })),
    ...run,
  }
}

// Engine parts that handle a command wrongly.

/** A cancelled pull request leaves, but the groups tested on top of it do not restart. */
export const cancelWithoutRestarts: EngineParts['decide'] = (step, command) => {
  if (command.type !== 'cancelPullRequest') return engineParts.decide(step, command)
  const { number, reason } = command
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest) return { code: 'not in queue', number }
  const { state: from, home } = pullRequest
  const testRun = null
  step.emit({ type: 'pullRequestMoved', number, from, to: 'CANCELLED', reason, testRun })
  const group = home.in === 'group' ? step.queue.groups[home.group] : undefined
  if (group?.members.length !== 0) return null
  if (group.phase.kind === 'testing') {
    const cause = 'PREREQUISITE_MERGE_ITEM_CANCELLED'
    step.emit({ type: 'testRunCancelled', testRun: group.phase.run.id, cause })
  }
  step.emit({ type: 'groupLeft', group: group.id })
  return null
}
