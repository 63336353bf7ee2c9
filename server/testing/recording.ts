/** A data folder in which something has happened, made without a server. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, makeDataFolder, segmentFile, type DataFolder } from '../store/data-folder.ts'
import { recover } from '../store/recover.ts'
import { entryLine, headerLine } from '../store/segment.ts'
import { snapshotLines } from '../store/snapshot-lines.ts'
import type { Entry, YardCommand } from '../yard/commands.ts'
import { Register } from '../yard/register.ts'
import { temporaryFolder } from './running.ts'

export const silent = { wakeAt: (): void => undefined }

const queue = 'github.com/acme/shop:main'
/** Nothing is due for thousands of years, so that a server that starts has nothing to add. */
const never = 4_294_967_295
const set = {
  batch: true,
  batchingMinSize: 2,
  batchingMaxWaitTimeMinutes: never,
  testingTimeoutMinutes: never,
  concurrency: 2,
} as const

/** A queue with batches, a failure, a bisection and a late report: some seventy entries. */
export function entries(): Entry[] {
  const register = new Register(silent)
  const accepted: Entry[] = []
  const send = (command: YardCommand, name: string | null = queue): void => {
    const entry = { sequence: register.sequence + 1, at: 1_769_774_400_000, queue: name, command }
    const at = entry.at + 1_000 * entry.sequence
    if (register.apply({ ...entry, at }).accepted) accepted.push({ ...entry, at })
  }
  send({ type: 'createQueue', incarnation: '0c9a5a2e-5b1f-4a33-8c1d-111111111111', set })
  const engine = register.find(queue)?.engine
  for (let number = 1; number <= 40; number++) {
    send({ type: 'submitPullRequest', number, sha: `sha-${number}` })
    if (number % 7 === 0) send({ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
    for (const run of Object.values(engine?.queue.testRuns ?? {})) {
      const breaks = run.tested.includes(number - (number % 5))
      const failedTests = breaks ? [{ name: 'pays twice', file: 'a "quoted" ü file' }] : []
      const outcome = breaks ? 'failed' : 'passed'
      send({ type: 'finishTestRun', testRun: run.id, outcome, failedTests })
    }
  }
  send({ type: 'setImpactedTargets', number: 99, targets: ['web', 'api'], sha: 'early' })
  return accepted
}

/** One of them, from 0. */
export function entryAt(all: readonly Entry[], index: number): Entry {
  const entry = all[index]
  if (!entry) throw new Error(`there are only ${all.length} entries`)
  return entry
}

/** Writes entries as a log, cut into segments after each of these many. */
export function recorded(all: readonly Entry[], ...cuts: readonly number[]): DataFolder {
  const folder = dataFolder(temporaryFolder())
  makeDataFolder(folder)
  const starts = [0, ...cuts]
  for (const [index, start] of starts.entries()) {
    const lines = all.slice(start, starts[index + 1]).flatMap((entry) => [...entryLine(entry)])
    const bytes = Buffer.concat([headerLine(index + 1, start), ...lines])
    writeFileSync(segmentFile(folder, index + 1), bytes)
  }
  return folder
}

/** Everything a register knows, as text to compare. */
export function textOf(register: Register): string {
  const { sequence, at } = register
  const lines = [...snapshotLines(register.state())]
  return [{ sequence, at }, ...lines].map((line) => JSON.stringify(line)).join('\n')
}

export async function recoveredText(folder: DataFolder): Promise<string> {
  return textOf((await recover(folder, silent)).register)
}

/** The bytes of every file in a folder, to see that nothing was touched. */
export function filesIn({ path }: DataFolder): Record<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'latin1')]))
}
