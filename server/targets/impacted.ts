/** The impacted targets of a pull request, when it enters its queue. */

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ImpactedTargets, PullRequestNumber } from '../../engine/index.ts'
import { inSlices } from '../files/turns.ts'
import { readForeignFile } from '../files/foreign-file.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { mergeBase } from '../git/objects.ts'
import { type Surroundings, viewOf } from '../runner/bubblewrap.ts'
import type { TestSettings } from '../runner/command-runner.ts'
import { type RunOfCommand, environmentOf } from '../runner/environment.ts'
import { RunWatcher, limitsWith } from '../runner/limits.ts'
import { type ProcessGroup, killRunsIn, startGroup } from '../runner/process-group.ts'
import { Slot } from '../runner/slot.ts'
import { TaskThread } from '../timing/task-thread.ts'
import { TooLong, targetsInForce } from './in-force.ts'
import { type Patterns, type TargetsOptions, matched } from './matching.ts'

type Change = { readonly number: PullRequestNumber; readonly head: Oid; readonly tip: Oid }

type Parts = {
  /** The folder of this queue. */
  readonly folder: string
  /** The start of the ids of this queue. */
  readonly id: string
  readonly mirror: Pick<Mirror, 'folder' | 'changedPaths'>
  readonly logger: Logger
  /** How long patterns may be matched: the queue looks at nothing else meanwhile. */
  readonly matchingMs?: number
}

type CommandOptions = Surroundings & Pick<TestSettings, 'environment' | 'limits'>

export type Impacted = {
  /** Targets that cannot be found are ALL, which is slow but right. Rejects only if it was closed meanwhile. */
  of(change: Change): Promise<ImpactedTargets>
  close(): void
}

/** Finds the targets of what a pull request changes since its base. May reject. */
type Finder = {
  of(change: Change & { readonly base: Oid }): Promise<ImpactedTargets>
  close(): void
}

const commandTimeoutMs = 120_000
const defaultMatchingMs = 10_000

/** A command runs like the tests of the queue. */
export function impactedFor(
  targets: TargetsOptions,
  tests: CommandOptions,
  parts: Parts,
): Impacted {
  const finder =
    'command' in targets ? byCommand(targets.command, tests, parts) : byPatterns(targets, parts)
  let isClosed = false
  return {
    async of(change) {
      try {
        const base = await mergeBase(parts.mirror.folder, change.tip, change.head)
        return base === null ? 'ALL' : await inForce(await finder.of({ ...change, base }))
      } catch (error) {
        // The next start finds them.
        if (isClosed) throw error
        parts.logger.warn({ err: error, number: change.number }, 'no impacted targets: ALL')
        return 'ALL'
      }
    },
    close() {
      isClosed = true
      finder.close()
    },
  }
}

/** Rejects with words if there are too many. */
async function inForce(found: ImpactedTargets): Promise<ImpactedTargets> {
  const targets = found === 'ALL' ? found : await inSlices(targetsInForce(found))
  if (targets instanceof TooLong) throw new Error(targets.text)
  return targets
}

function byCommand(command: string, tests: CommandOptions, { folder, mirror, id }: Parts): Finder {
  const targets = new CommandTargets({
    ...tests,
    command,
    folder: join(folder, 'targets'),
    mirror: mirror.folder,
    timeoutMs: commandTimeoutMs,
  })
  return {
    of: ({ number, head, base }) =>
      targets.of({ id: `${id}-targets-${head}`, numbers: [number], base }, head),
    close: () => targets.close(),
  }
}

/** In a thread: the author of a pull request decides how long its patterns and paths take to match. */
function byPatterns(patterns: Patterns, { mirror, matchingMs = defaultMatchingMs }: Parts): Finder {
  const memory = { maxOldGenerationSizeMb: 512 }
  const limits = { what: 'matching its patterns', longestMs: matchingMs, memory }
  const thread = new TaskThread(new URL('./matching.js', import.meta.url), matched, limits)
  return {
    async of({ base, head, tip }) {
      const changed = await mirror.changedPaths(base, head)
      return thread.run({ patterns, repository: mirror.folder, base, head, tip, changed })
    },
    close: () => void thread.close(),
  }
}

// Targets that a command prints. It runs in a work tree of the head, with the environment of the tests.

type TargetsCommand = CommandOptions & {
  readonly command: string
  /** A folder of its own. */
  readonly folder: string
  /** The bare repository that has the commits. */
  readonly mirror: string
  /** It is ended after this time: the queue looks at nothing else meanwhile. */
  readonly timeoutMs: number
}

const largestBytes = 1 << 20
const graceMs = 1_000

class CommandTargets {
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
