/** A server in a separate process, for tests that load or kill it. */

import { executable } from '../../../benchmarks/served.ts'
import { type Program, startProgram } from '../../testing/program.ts'

export const childToken = 'admin-token-of-a-child'

export type ChildServer = Program & { readonly url: string }

/** Starts a server on any free port. Resolves when it listens. */
export function startChild(data: string, ...more: readonly string[]): Promise<ChildServer> {
  return startUnder([process.execPath], data, ...more)
}

/** Starts a server with another program, for example `unshare ... node`. */
export function startUnder(
  program: readonly string[],
  data: string,
  ...more: readonly string[]
): Promise<ChildServer> {
  return startWith(program, ['--data', data, ...more])
}

/** Starts `serve` as a user does, with the token that it writes for commands of this machine. */
export function startServe(
  options: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<ChildServer> {
  const unset = { MERGEYARD_TOKEN: undefined, ...variables }
  return startWith([process.execPath], options, unset, 'serve')
}

/** Starts a server with these options, and more variables. */
export async function startWith(
  program: readonly string[],
  options: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  command: 'start' | 'serve' = 'start',
): Promise<ChildServer> {
  const env = { ...process.env, MERGEYARD_TOKEN: childToken, ...variables }
  const args = [...program, executable, command, '--port', '0', ...options]
  const server = startProgram(args, { env })
  const [, url = ''] = await server.prints(/listens on (http:\/\/\S+),/)
  return { ...server, url }
}
