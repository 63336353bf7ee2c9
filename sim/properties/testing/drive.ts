/**
 * A small world for the tests of properties: the real engine, a heap of commands, a runner that
 * tells the truth unless told otherwise, and a code host that may take its time.
 */

import TinyQueue from 'tinyqueue'
import {
  Engine,
  newQueue,
  parts,
  type Command,
  type CommandBody,
  type Configuration,
  type Parts,
  type QueueView,
  type TestRun,
} from '../../../engine/index.ts'
import type { Moment } from '../../moment.ts'
import { isBroken, type Facts } from './truth.ts'

const minuteMs = 60_000

/** What a run does instead of telling the truth. */
export type Oddity = 'errored' | 'hangs' | 'lies' | 'reported twice'

export type World = {
  readonly configuration?: Partial<Configuration>
  readonly facts?: Facts
  /** By the number of the run. */
  readonly oddRuns?: Readonly<Record<number, Oddity>>
  /** How long runs take, over and over; 10 minutes each when left out. */
  readonly runMinutes?: readonly number[]
  /** Minutes the code host takes for a merge; null: merges happen at once. */
  readonly mergeMinutes?: number | null
  /** Pull requests whose merge the code host refuses. */
  readonly refuses?: readonly number[]
  readonly script: readonly Scripted[]
}

export type Scripted = { readonly atMinute: number; readonly command: CommandBody }

export type Drive = { readonly moments: readonly Moment[]; readonly queue: QueueView }

/** A world goes round after so many commands: more than any story needs. */
const commandsAtMost = 20_000

/** Plays the script to its end, sets the queue RUNNING, and goes on until nothing moves. */
export function drive(world: World, made: Parts = parts): Drive {
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
  const takesTime = typeof world.mergeMinutes === 'number'
  const engine = new Engine(
    newQueue({
      ...(world.configuration ? { configuration: world.configuration } : {}),
      codeHost: takesTime ? 'answers' : 'merges at once',
    }),
    {
      clock: { wakeAt: (instant) => send((instant - now) / minuteMs, { type: 'wake' }) },
      testRunner: { start: (run) => report(world, run, landed, send), cancel: () => undefined },
      codeHost: {
        merge(number) {
          const isRefused = world.refuses?.includes(number) === true
          const refused = isRefused ? 'GITHUB_API_MERGE_PR_FAILED' : null
          send(world.mergeMinutes ?? 0, { type: 'finishMerge', number, refused })
        },
      },
    },
    made,
  )

  const moments: Moment[] = []
  let sequence = 0
  engine.subscribe((command, events) => {
    for (const event of events) if (event.type === 'tipMoved') landed.push(event.number)
    moments.push({ sequence, command, events, queue: structuredClone(engine.queue) })
    sequence += events.length
  })
  for (const { atMinute, command } of world.script) send(atMinute, command)
  const end = Math.max(0, ...world.script.map(({ atMinute }) => atMinute))
  send(end, { type: 'updateQueue', set: { state: 'RUNNING' } })
  for (let commands = 0; due.length > 0; commands++) {
    if (commands > commandsAtMost) throw new Error('the world goes round and round')
    const next = due.pop()
    if (!next) break
    now = next.command.at
    engine.dispatch(next.command)
  }
  return { moments, queue: engine.queue }
}

type Send = (inMinutes: number, body: CommandBody) => void

function report(
  { facts = {}, oddRuns = {}, runMinutes = [] }: World,
  run: TestRun,
  landed: readonly (number | null)[],
  send: Send,
): void {
  const oddity = oddRuns[run.id]
  if (oddity === 'hangs') return
  const merged = landed.slice(0, run.tip).filter((number) => number !== null)
  const isBad = isBroken(facts, new Set([...merged, ...run.base, ...run.tested]))
  const verdict = isBad === (oddity !== 'lies') ? 'failed' : 'passed'
  const outcome = oddity === 'errored' ? 'errored' : verdict
  const minutes = runMinutes[run.id % runMinutes.length] ?? 10
  const result = { type: 'finishTestRun', testRun: run.id, outcome } as const
  send(minutes, result)
  if (oddity === 'reported twice') send(minutes + 1, result)
}
