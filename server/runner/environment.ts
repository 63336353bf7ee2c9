/**
 * The environment of a test command. It is not that of the server, which holds tokens and, under npm,
 * variables that change what a nested npm does.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { homeIn } from '../terminal/files.ts'

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

/**
 * Where the programs of version managers find what they have installed, unless a variable says it: below the home of the
 * user, which HOME of a command does not name.
 */
const installations: Readonly<Record<string, string>> = {
  RUSTUP_HOME: '.rustup',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NODENV_ROOT: '.nodenv',
  GOENV_ROOT: '.goenv',
  JENV_ROOT: '.jenv',
  VOLTA_HOME: '.volta',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  SDKMAN_DIR: '.sdkman',
}

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
  const managers = Object.keys(installations)
  const passed = [...passedOn, ...managers, ...names].flatMap((name) => {
    const value = process.env[name] ?? installedBy(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    // Without one some programs fail, such as tput. The output goes to a file.
    TERM: 'dumb',
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

function installedBy(name: string): string | undefined {
  const [below, home] = [installations[name], homeIn(process.env)]
  if (below === undefined || home === null) return undefined
  const folder = join(home, below)
  return existsSync(folder) ? folder : undefined
}
