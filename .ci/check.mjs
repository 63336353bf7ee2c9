/**
 * Runs the checks that read the sources, side by side: lint, the lint of the API, format, unused code.
 * Prints what each of them said, one after the other, and exits with 1 if one of them failed.
 * `npm run check` runs it after a build, with the tools of the project on the path.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const checks = ['oxlint', 'npm run -s lint:api', 'oxfmt --check', 'knip']

/** Resolves to whether the check holds, when it has ended and its output is printed. */
async function holds(command) {
  // A shell finds the tools in each system.
  const tool = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error, [code]] = await Promise.all([
    text(tool.stdout),
    text(tool.stderr),
    once(tool, 'close'),
  ])
  process.stdout.write(out)
  process.stderr.write(error)
  if (code !== 0) console.error(`check: ${command} ended with ${code}`)
  return code === 0
}

const results = await Promise.all(checks.map(holds))
process.exitCode = results.every(Boolean) ? 0 : 1
