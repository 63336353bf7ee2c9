/**
 * The environment of a test command. It is not that of the server, which holds tokens and, under npm,
 * variables that change what a nested npm does.
 */

import { join } from 'node:path'

export type RunOfCommand = {
  /** The id of the run: no two runs have the same. */
  readonly id: string
  /** The pull requests that it tests. */
  readonly numbers: readonly number[]
  /** The commit below them. */
  readonly base: string
}

/** Variables that every command gets from the server, if it has them. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'USER', 'SHELL']

/** The id of the run. Another server on this machine can have a run of the same id. */
export const runVariable = 'MERGEYARD_RUN'

/** The variable by which the processes of a run are found: a slot has one run at a time. */
export const slotVariable = 'MERGEYARD_SLOT'

/** `home` is a folder of the slot: what a test leaves there is not in the user's home. */
export function environmentOf(
  { id, numbers, base }: RunOfCommand,
  home: string,
  names: readonly string[],
): Record<string, string> {
  const passed = [...passedOn, ...names].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(passed),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    CI: 'true',
    [runVariable]: id,
    [slotVariable]: home,
    MERGEYARD_PULLS: numbers.join(','),
    MERGEYARD_BASE: base,
  }
}
