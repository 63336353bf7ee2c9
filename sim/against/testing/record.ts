/** Recordings as a server would leave them, made of any commands. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  beginningName,
  checksumTail,
  createdQueue,
  Engine,
  formatVersion,
  isForEngine,
  logFormat,
  recordingFiles,
  segmentName,
  snapshotFormat,
  snapshotTail,
  writtenQueue,
  type Command,
  type CreateQueue,
  type Entry,
  type Queue,
} from '../../../engine/index.ts'

export const shop = 'github.com/acme/shop:main'
/** Saturday, 14 November 2026. */
const startAt = 1_794_614_400_000

const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

/** The entries of a queue that is made and then told these; what it refuses is not recorded. */
export function entriesOf(
  create: Pick<CreateQueue, 'set' | 'codeHost'>,
  commands: Iterable<Command>,
): Entry[] {
  const made: CreateQueue = { type: 'createQueue', incarnation, ...create }
  const entries: Entry[] = [{ sequence: 1, at: startAt, queue: shop, command: made }]
  const engine = engineOf(createdQueue(made, startAt))
  for (const { at, ...command } of commands) {
    const entry = { sequence: entries.length + 1, at: startAt + at, queue: shop, command }
    if (engine.dispatch({ ...command, at: entry.at }).accepted) entries.push(entry)
  }
  return entries
}

/** Writes them into a data folder, a new segment begun after each of these many entries. */
export function record(folder: string, all: readonly Entry[], ...cuts: readonly number[]): void {
  const starts = [0, ...cuts]
  for (const [index, start] of starts.entries()) {
    const segment = index + 1
    const header = checked({ log: logFormat, version: formatVersion, segment, after: start })
    const lines = all.slice(start, starts[index + 1]).map(checked)
    write(join(folder, recordingFiles.log, segmentName(segment)), [header, ...lines].join(''))
    if (start === 0) continue
    const snapshot = snapshotAfter(all.slice(0, start), segment)
    write(join(folder, recordingFiles.log, beginningName(segment)), snapshot)
  }
}

function snapshotAfter(entries: readonly Entry[], segment: number): string {
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
    { queue: shop, incarnation, engine: writtenQueue(queue), conclusions: [] },
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

function stateAfter(entries: readonly Entry[]): Queue {
  const [made, ...rest] = entries
  if (made?.command.type !== 'createQueue') throw new Error('it begins with the queue')
  const engine = engineOf(createdQueue(made.command, made.at))
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

function checked(value: object): string {
  const text = JSON.stringify(value)
  return `${text.slice(0, -1)}${checksumTail(crc32(text))}\n`
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
