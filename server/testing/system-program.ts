/** Programs that tests need and npm does not bring, such as `.ci/run` installs. */

import { spawnSync } from 'node:child_process'

/**
 * Whether the tests that need it are to be skipped: where the program is missing. Never in CI, where
 * they fail instead.
 */
export function isMissing(program: string): boolean {
  const isThere = spawnSync(program, ['--version']).error === undefined
  if (!isThere) process.stderr.write(`${program} is not installed: apt-get install it to test\n`)
  return !isThere && process.env['CI'] !== 'true'
}
