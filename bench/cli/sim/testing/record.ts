/** Writes recordings like those of a server, from any commands. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  beginningName,
  createdQueue,
  Engine,
  formatVersion,
  isForEngine,
  logFormat,
  recordingFiles,
  segmentName,
  snapshotFormat,
  snapshotTail,
  serializedQueue,
  type Command,
  type CreateQueue,
  type LogEntry,
  type Queue,
} from '../../../../engine/index.ts'
import { runScenario } from '../../../../sim/judge/run-scenario.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { checkedText } from '../../../../engine/recording/testing/recorded.ts'

export const shop = 'github.com/acme/shop:main'
/** Saturday, 14 November 2026. */
const startAt = 1_794_614_400_000

const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

/** Returns all commands of a simulated run. */
export function commandsOf(scenario: Scenario): Command[] {
  const commands: Command[] = []
  const observer = () => (step: { readonly command: Command }) => void commands.push(step.command)
  runScenario(scenario, { observers: [observer] })
  return commands
}

/** Returns the log entries of a new queue that receives these commands. Rejected commands are omitted. */
export function entriesOf(
  create: Pick<CreateQueue, 'set' | 'codeHost'>,
  commands: Iterable<Command>,
): LogEntry[] {
  const creation: CreateQueue = { type: 'createQueue', incarnation, ...create }
  const entries: LogEntry[] = [{ sequence: 1, at: startAt, queue: shop, command: creation }]
  const engine = engineOf(createdQueue(creation, startAt))
  for (const { at, ...command } of commands) {
    const entry = { sequence: entries.length + 1, at: startAt + at, queue: shop, command }
    if (engine.dispatch({ ...command, at: entry.at }).accepted) entries.push(entry)
  }
  return entries
}

/** Writes entries to a data folder. Each cut is a number of entries after which a new segment begins. */
export function record(folder: string, all: readonly LogEntry[], ...cuts: readonly number[]): void {
  const starts = [0, ...cuts]
  for (const [index, start] of starts.entries()) {
    const segment = index + 1
    const header = checkedText({ log: logFormat, version: formatVersion, segment, after: start })
    const lines = all.slice(start, starts[index + 1]).map(checkedText)
    write(join(folder, recordingFiles.log, segmentName(segment)), [header, ...lines].join(''))
    if (start === 0) continue
    const snapshot = snapshotAfter(all.slice(0, start), segment)
    write(join(folder, recordingFiles.log, beginningName(segment)), snapshot)
  }
}

function snapshotAfter(entries: readonly LogEntry[], segment: number): string {
  const last = entries.at(-1)
  const queue = stateAfter(entries)
  const header = JSON.stringify({
    snapshot: snapshotFormat,
    version: formatVersion,
    segment,
    sequence: last?.sequence,
    at: last?.at,
  })
  const lines = [
    { queue: shop, incarnation, engine: serializedQueue(queue), conclusions: [] },
    ...Object.values(queue.pullRequests).map((engine) => ({ pullRequest: engine.number, engine })),
    ...Object.entries(queue.impactedTargets).map(([number, targets]) => {
      return { impactedTargets: Number(number), targets }
    }),
    { testRun: 1, run: {} },
    { testCase: {}, repository: 'github.com/acme/shop' },
  ]
  const texts = lines.map((line) => JSON.stringify(line)).join(',\n')
  const text = `${header.slice(0, -1)},"lines":[\n${texts}\n`
  return `${text}${snapshotTail(crc32(text))}\n`
}

function stateAfter(entries: readonly LogEntry[]): Queue {
  const [first, ...rest] = entries
  if (first?.command.type !== 'createQueue')
    throw new Error('the first entry must create the queue')
  const engine = engineOf(createdQueue(first.command, first.at))
  for (const { command, at } of rest) {
    if (isForEngine(command)) engine.dispatch({ ...command, at })
  }
  const queue: Queue = JSON.parse(engine.snapshot())
  return queue
}

function engineOf(queue: Queue): Engine {
  const clock = { wakeAt: (): void => undefined }
  const testRunner = { start: (): void => undefined, cancel: (): void => undefined }
  return new Engine(queue, { clock, testRunner, codeHost: { merge: () => undefined } })
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
