/**
 * A small world for the tests of properties: the real engine, a heap of commands, a test runner
 * whose results are true unless the test says otherwise, and a code host that may answer late.
 */

import TinyQueue from 'tinyqueue'
import {
  Engine,
  newQueue,
  engineParts,
  type Command,
  type CommandBody,
  type Configuration,
  type EngineParts,
  type Queue,
  type QueueView,
  type TestRun,
  type TestRunId,
} from '../../../engine/index.ts'
import type { Step } from '../../steps/step.ts'
import { isBroken, type TruthFacts } from './truth.ts'

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

export type DrivenRun = {
  readonly steps: readonly Step[]
  readonly queue: QueueView
  /** The runs that failed only because of a flake; none by default. */
  readonly flakes?: ReadonlySet<TestRunId>
}

/** No test needs this many commands: a run with more is in a loop. */
const commandsAtMost = 20_000

/** The queue of a world, before its first command. */
export function queueOf({ configuration = {}, mergeMinutes }: StreamSpec): Queue {
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
