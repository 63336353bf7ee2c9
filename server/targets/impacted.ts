/** The impacted targets of a pull request, when it enters its queue. */

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ImpactedTargets, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { mergeBase } from '../git/tree-files.ts'
import { CommandTargets, type TargetsCommand } from './command-targets.ts'
import { targetsOfPaths } from './from-paths.ts'
import { targetsOfWorkspaces } from './from-workspaces.ts'
import type { TargetsOptions } from './options.ts'
import { readWorkspace } from './read-workspace.ts'

type Change = { readonly number: PullRequestNumber; readonly head: Oid; readonly tip: Oid }

type Parts = {
  /** The folder of this queue. */
  readonly folder: string
  /** The start of the ids of this queue. */
  readonly id: string
  readonly mirror: Mirror
  readonly logger: Logger
}

type CommandOptions = Omit<TargetsCommand, 'command' | 'folder' | 'mirror' | 'timeoutMs'>

export type Impacted = {
  /** Never rejects: targets that cannot be found are ALL, which is slow but right. */
  of(change: Change): Promise<ImpactedTargets>
  close(): void
}

const commandTimeoutMs = 120_000

/** A command runs like the tests of the queue. */
export function impactedFor(
  targets: TargetsOptions,
  tests: CommandOptions,
  parts: Parts,
): Impacted {
  const command = commandFor(targets, tests, parts)
  return {
    async of(change) {
      try {
        const base = await mergeBase(parts.mirror.folder, change.tip, change.head)
        if (base === null) return 'ALL'
        return await targetsOf({ ...change, base }, targets, { ...parts, command })
      } catch (error) {
        parts.logger.warn({ err: error, number: change.number }, 'no impacted targets: ALL')
        return 'ALL'
      }
    },
    close: () => command?.close(),
  }
}

async function targetsOf(
  { number, head, tip, base }: Change & { readonly base: Oid },
  targets: TargetsOptions,
  { mirror, id, command }: Parts & { readonly command: CommandTargets | null },
): Promise<ImpactedTargets> {
  if (command) return command.of({ id: `${id}-targets-${head}`, numbers: [number], base }, head)
  const changed = await mirror.changedPaths(base, head)
  if (changed.length === 0) return 'ALL'
  if ('paths' in targets) return targetsOfPaths(targets.paths, changed)
  const [before, after, last] = await Promise.all(
    [base, head, tip].map((commit) => readWorkspace(mirror.folder, commit)),
  )
  const trees = { before: before ?? null, after: after ?? null, tip: last ?? null }
  return targetsOfWorkspaces(trees, changed)
}

function commandFor(
  targets: TargetsOptions,
  tests: CommandOptions,
  { folder, mirror }: Parts,
): CommandTargets | null {
  if (!('command' in targets)) return null
  return new CommandTargets({
    ...tests,
    command: targets.command,
    folder: join(folder, 'targets'),
    mirror: mirror.folder,
    timeoutMs: commandTimeoutMs,
  })
}
