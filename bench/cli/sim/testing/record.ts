/** Writes recordings like those of a server, from any commands. */

import { writeFileSync } from 'node:fs'
import {
  formatVersion,
  logFormat,
  snapshotFormat,
  type Command,
  type CreateQueue,
  type LogEntry,
} from '../../../../engine/index.ts'
import { checkedText, snapshotText } from '../../../../engine/recording/testing/recorded.ts'
import { noWakes, QueueRegistry } from '../../../../server/queues/queue-registry.ts'
import {
  beginningFile,
  dataFolder,
  makeDataFolder,
  segmentFile,
} from '../../../../server/store/data-folder.ts'
import { snapshotLines } from '../../../../server/store/snapshot-file.ts'
import { runScenario } from '../../../../sim/judge/run-scenario.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'

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
  const registry = new QueueRegistry(noWakes)
  const entries: LogEntry[] = []
  for (const { at, ...command } of [{ ...creation, at: 0 }, ...commands]) {
    const entry = { sequence: registry.sequence + 1, at: startAt + at, queue: shop, command }
    if (registry.apply(entry).accepted) entries.push(entry)
  }
  return entries
}

/** Writes entries to a data folder. Each cut is a number of entries after which a new segment begins. */
export function record(path: string, all: readonly LogEntry[], ...cuts: readonly number[]): void {
  const folder = dataFolder(path)
  makeDataFolder(folder)
  const registry = new QueueRegistry(noWakes)
  for (const [index, after] of [0, ...cuts].entries()) {
    const [segment, version] = [index + 1, formatVersion]
    const entries = all.slice(after, cuts[index])
    const lines = [{ log: logFormat, version, segment, after }, ...entries].map(checkedText)
    writeFileSync(segmentFile(folder, segment), lines.join(''))
    const { sequence, at, ...state } = registry.state()
    const header = { snapshot: snapshotFormat, version, segment, sequence, at }
    const beginning = snapshotText(header, [...snapshotLines(state)])
    if (after > 0) writeFileSync(beginningFile(folder, segment), beginning)
    for (const entry of entries) registry.apply(entry)
  }
}
