/** A test command that does not exist would fail every pull request, so the start refuses it. */

import { spawnSync } from 'node:child_process'
import type { HostOptions } from '../hosting/options.ts'
import { hasBubblewrap } from '../runner/bubblewrap.ts'
import { BadInput } from '../terminal/bad-input.ts'

/** Throws `BadInput` for a command whose program this machine does not have. */
export function refuseMissingCommands(hosting: readonly HostOptions[]): void {
  for (const { tests, targets } of hosting) {
    const test = tests.kind === 'command' ? tests : { run: null, setup: null }
    for (const [where, command] of [
      ['--test', test.run],
      ['--setup', test.setup],
      ['targets', targets && 'command' in targets ? targets.command : null],
    ] as const) {
      const program = programOf(command ?? '')
      if (program === null || isThere(program)) continue
      const expected = `a command of which this machine has the program ${program}`
      throw new BadInput('serve', [{ where, expected, actual: command ?? '' }])
    }
  }
}

/**
 * Why commands of pull requests reach the secrets of the server, in one line for a person; null: they do not,
 * or there are none.
 */
export function exposureOf(hosting: readonly HostOptions[]): string | null {
  const commands = hosting.filter(
    ({ tests, targets = {} }) => tests.kind === 'command' || 'command' in targets,
  )
  if (commands.length === 0) return null
  const isOff = commands.some(({ tests }) => tests.kind === 'command' && tests.bubblewrap === false)
  return exposure({ isInstalled: isThere('bwrap'), works: hasBubblewrap(), isOff })
}

type Bubblewrap = {
  readonly isInstalled: boolean
  readonly works: boolean
  /** It is switched off for a queue. */
  readonly isOff: boolean
}

/** Only what runs in namespaces has no way to the secrets. */
export function exposure({ isInstalled, works, isOff }: Bubblewrap): string | null {
  if (works && !isOff) return null
  const why = works
    ? '"bubblewrap" is false'
    : isInstalled
      ? 'bubblewrap is installed, but this user may make no namespaces'
      : 'bubblewrap is not installed'
  return `${why}: tests can read the admin token, and all else that this user can read`
}

/** The first word; null if it may be in the repository, or the shell decides what it is. */
export function programOf(command: string): string | null {
  const [word = ''] = command.trim().split(/\s+/)
  return /^[\w.+-]+$/.test(word) ? word : null
}

export function isThere(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' }).status === 0
}
