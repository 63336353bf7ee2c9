/** Programs that tests need and npm does not provide; `.ci/run` installs them. */

import { spawnSync } from 'node:child_process'

/**
 * True if the program is missing, so that the tests that need it are skipped. Always false in CI,
 * where these tests fail instead.
 */
export function isMissing(program: string): boolean {
  const isThere = spawnSync(program, ['--version']).error === undefined
  if (!isThere)
    process.stderr.write(`${program} is not installed: install it with apt-get to run its tests\n`)
  return !isThere && process.env['CI'] !== 'true'
}
