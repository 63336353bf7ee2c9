/** What a command line stands in, and what it answers with. */

import type { Terminal } from './output.ts'

export type Surroundings = Terminal & {
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

export const exitCodes = { holds: 0, fails: 1, badInput: 2, interrupted: 130 } as const

/** Where relative paths count from: npm changes the folder and remembers it. */
export function startFolder(env: NodeJS.ProcessEnv): string {
  return env['INIT_CWD'] ?? process.cwd()
}
