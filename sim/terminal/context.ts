/** The context of a command: output streams, environment, interruption and exit codes. */

import type { Terminal } from './output.ts'

export type CliContext = Terminal & {
  readonly env: NodeJS.ProcessEnv
  /** Aborts when the user interrupts the command (Ctrl-C). */
  readonly signal: AbortSignal
}

export const exitCodes = { success: 0, failure: 1, badInput: 2, interrupted: 130 } as const

/** The folder for relative paths. npm changes the current folder and keeps the original one in `INIT_CWD`. */
export function startFolder(env: NodeJS.ProcessEnv): string {
  return env['INIT_CWD'] ?? process.cwd()
}
