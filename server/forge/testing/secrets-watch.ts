/** All texts in which a secret could be: arguments, logs, errors, and the data folder. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../testing/test-server.ts'
import type { ForgeWorld } from './forge-world.ts'

/** Notes the arguments of every git that the server starts. */
export function watchedGit(): () => string {
  const folder = temporaryFolder()
  const [calls, bin] = [join(folder, 'calls'), join(folder, 'bin')]
  mkdirSync(bin)
  const path = process.env['PATH'] ?? ''
  const next = `PATH="${path}" exec git "$@"`
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >> ${calls}\n${next}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  process.env['PATH'] = `${bin}:${path}`
  onTestFinished(() => void (process.env['PATH'] = path))
  return () => readFileSync(calls, 'utf8')
}

function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
}

/** Makes every request fail, so that errors are told too, and reads all that was written. */
export async function everythingOf(world: ForgeWorld, calls: () => string): Promise<string[]> {
  world.fake.close()
  await expect.poll(() => world.queue.host().status().faults).not.toEqual([])
  return [
    calls(),
    world.log.join(''),
    world.queue.host().status().faults.join(),
    ...textsIn(world.queue.folder),
  ]
}
