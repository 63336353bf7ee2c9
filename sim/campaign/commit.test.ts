/**
 * New ground with every commit: a campaign of the swarm whose first seed comes out of the commit's
 * hash, so that anybody can repeat it from that.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const seeds = 2000

/** The hash of the commit; where there is no git to ask, what stands for it: name and version. */
function commit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  const { name, version }: { name: string; version: string } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  return `${name}@${version}`
}

test(`${seeds} scenarios that no commit before has seen hold, and meet every mark`, () => {
  const options = ['--seeds', String(seeds), '--seeds-from', commit(), '--no-report']
  process.stdout.write(`npm run sim -- ${options.join(' ')}\n`)
  // Counting coverage would double its time, and tell nothing that the other tests don't.
  const { NODE_V8_COVERAGE: _counted, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/sim/cli.js', ...options], {
    env,
    encoding: 'utf8',
  })
  process.stdout.write(stdout)
  expect(status, `${stdout}${stderr}`).toBe(0)
}, 600_000)
