/**
 * A command in a PID namespace of its own, made with bubblewrap. The kernel ends everything in it when the
 * command ends, or when the server does: also what has left the process group and cleared its environment.
 *
 * It keeps no command from a file or from the network.
 */

import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import type { Exit } from './verdict.ts'

const program = 'bwrap'
const namespace = ['--dev-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--die-with-parent']

let works: boolean | null = null

/** True if bubblewrap is installed, and this user may make namespaces. Tried once. */
export function hasBubblewrap(): boolean {
  works ??= spawnSync(program, [...namespace, '--', '/bin/true']).status === 0
  return works
}

type Spawned = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Bubblewrap itself does not get `hidden`, the variable by which the processes of a run are found. */
export function inNamespace(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  hidden: string,
): Spawned {
  const { [hidden]: value = '', ...rest } = env
  return { program, args: [...namespace, '--setenv', hidden, value, '--', ...args], env: rest }
}

/** Bubblewrap tells a signal as a shell does: 128 and its number. */
export function exitInNamespace({ code, signal }: Exit): Exit {
  const found = Object.entries(constants.signals).find(([, value]) => code === 128 + value)
  return found ? { code: null, signal: found[0] } : { code, signal }
}
