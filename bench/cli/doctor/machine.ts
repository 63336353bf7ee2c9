/** What queues need of this machine. */

import { execFileSync } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { git, refuseOldGit } from '../../../server/git/git.ts'
import type { HostOptions } from '../../../server/hosting/options.ts'
import { exposureOf, isThere } from '../serve/check-commands.ts'
import { checked, type Check } from './check.ts'

/** As `engines` in package.json says. */
export const leastNode = [20, 19] as const
const leastFreeBytes = 1 << 30
const bytesPerGiB = 1 << 30

export async function checksOfMachine(
  hosting: readonly HostOptions[],
  data: string,
): Promise<Check[]> {
  const tests = hosting.flatMap((each) => (each.tests.kind === 'command' ? [each.tests] : []))
  const commands = tests.flatMap(({ run, setup }) => [run, setup ?? ''])
  return [
    await checked('node', () => nodeVersion(process.version)),
    await checked('git', gitVersion),
    ...(commands.some(usesNpm) ? [await checked('npm', npmVersion)] : []),
    ...(tests.length > 0 ? [bubblewrapNote(exposureOf(hosting))] : []),
    await checked('disk', () => freeDisk(data)),
  ]
}

/** Throws for an older one than is supported. */
export function nodeVersion(version: string): string {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
  if (isOld) throw new Error(`${version}, at least ${leastNode.join('.')} is needed: update Node`)
  return version
}

async function gitVersion(): Promise<string> {
  await refuseOldGit()
  return (await git(['--version'])).trim()
}

/** True if a command calls npm or npx, also after others. */
export function usesNpm(command: string): boolean {
  return /(?:^|[\s;&|(])np[mx](?:\s|$)/.test(command)
}

function npmVersion(): string {
  if (!isThere('npm')) throw new Error('this machine has no npm: install it')
  return execFileSync('npm', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** Runs are tested without it too, so it is never a fault. */
export function bubblewrapNote(exposed: string | null): Check {
  const words = exposed ?? 'works: tests see no secret of the server, and nothing of them is left'
  return { what: 'bubblewrap', isOk: true, isNote: true, words }
}

/** Where the data folder is, or where it will be made. */
export function freeDisk(data: string): string {
  const folder = existing(resolve(data))
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const words = `${Math.floor(free / bytesPerGiB)} GiB free at ${folder}`
  if (free >= leastFreeBytes) return words
  throw new Error(`${words}, at least 1 GiB is needed: remove files`)
}

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder))
}
