/** Targets that a command prints. It runs in a work tree of the head, with the environment of the tests. */

import { join } from 'node:path'
import type { ImpactedTargets } from '../../engine/index.ts'
import { readForeignFile } from '../files/foreign-file.ts'
import { viewOf, type Surroundings } from '../runner/bubblewrap.ts'
import { environmentOf, type RunOfCommand } from '../runner/environment.ts'
import { limitsWith, RunWatcher, type Limits } from '../runner/limits.ts'
import { killRunsIn, startGroup, type ProcessGroup } from '../runner/process-group.ts'
import { Slot } from '../runner/slot.ts'

export type TargetsCommand = Surroundings & {
  readonly command: string
  /** A folder of its own. */
  readonly folder: string
  /** The bare repository that has the commits. */
  readonly mirror: string
  /** Names of variables that it gets from the environment of the server. */
  readonly environment: readonly string[]
  readonly limits?: Partial<Limits>
  /** It is ended after this time: the queue looks at nothing else meanwhile. */
  readonly timeoutMs: number
}

const largestBytes = 1 << 20
const graceMs = 1_000

export class CommandTargets {
  readonly #options: TargetsCommand
  readonly #watcher = new RunWatcher()
  readonly #slot: Slot
  #group: ProcessGroup | null = null

  /** Kills what an earlier server has left. */
  constructor(options: TargetsCommand) {
    this.#options = options
    const { mirror } = options
    const none = { keep: [], setup: null, setupWhen: [] }
    this.#slot = new Slot(join(options.folder, '0'), { mirror, ...none })
    killRunsIn(options.folder)
  }

  /** Rejects with words if the command fails, or what it prints is not understood. */
  async of(run: RunOfCommand, head: string): Promise<ImpactedTargets> {
    const { mirror, command, environment, limits, timeoutMs } = this.#options
    const slot = this.#slot
    await slot.reset(head)
    const printed = join(slot.home, 'targets')
    const env = { ...environmentOf(run, slot.home, environment), MERGEYARD_TARGETS: printed }
    // What it says on standard error is no target.
    const text = `exec >"$MERGEYARD_TARGETS"\n${command}`
    const place = { folder: slot.folder, env, view: viewOf(this.#options, mirror) }
    const group = startGroup(
      { text, ...place, onOutput: () => undefined, limits: limitsWith(limits) },
      graceMs,
      this.#watcher,
    )
    this.#group = group
    const timer = setTimeout(() => group.end(), timeoutMs)
    const { code, signal, limit = null } = await group.ended.finally(() => clearTimeout(timer))
    if (limit !== null) throw new Error(`the targets command was ended: ${limit}`)
    if (code !== 0) throw new Error(`the targets command ended with ${code ?? signal}`)
    const { bytes, size } = readForeignFile(printed, largestBytes)
    if (size > largestBytes) throw new Error('the targets command printed over 1 MiB')
    return namesIn(bytes.toString('utf8'))
  }

  /** Ends the command in progress. */
  close(): void {
    this.#group?.end()
  }
}

/**
 * A JSON list, or a name on each line. A command that prints nothing may have failed unnoticed, so that
 * is ALL; the list `[]` says that nothing is impacted.
 */
export function namesIn(text: string): ImpactedTargets {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return listIn(trimmed)
  const names = trimmed.split(/\r?\n/).map((line) => line.trim())
  const found = names.filter((name) => name !== '')
  return found.length === 0 ? 'ALL' : found
}

function listIn(text: string): ImpactedTargets {
  const list: unknown = JSON.parse(text)
  const names = Array.isArray(list) ? list : []
  const strings = names.filter((name): name is string => typeof name === 'string' && name !== '')
  if (strings.length === names.length) return strings
  throw new Error('the targets command printed a list that does not hold names only')
}
