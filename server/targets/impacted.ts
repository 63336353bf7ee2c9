/** The impacted targets of a pull request, when it enters its queue. */

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ImpactedTargets, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { mergeBase } from '../git/tree-files.ts'
import { TaskThread } from '../timing/task-thread.ts'
import { CommandTargets, type TargetsCommand } from './command-targets.ts'
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

type CommandOptions = Omit<TargetsCommand, 'command' | 'folder' | 'mirror' | 'timeoutMs'>

export type Impacted = {
  /** Never rejects: targets that cannot be found are ALL, which is slow but right. */
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
  return {
    async of(change) {
      try {
        const base = await mergeBase(parts.mirror.folder, change.tip, change.head)
        return base === null ? 'ALL' : await finder.of({ ...change, base })
      } catch (error) {
        parts.logger.warn({ err: error, number: change.number }, 'no impacted targets: ALL')
        return 'ALL'
      }
    },
    close: () => finder.close(),
  }
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
  const limits = { what: 'matching its patterns', longestMs: matchingMs, mostMebibytes: 512 }
  const thread = new TaskThread(new URL('./matching.js', import.meta.url), matched, limits)
  return {
    async of({ base, head, tip }) {
      const changed = await mirror.changedPaths(base, head)
      return thread.run({ patterns, repository: mirror.folder, base, head, tip, changed })
    },
    close: () => void thread.close(),
  }
}
