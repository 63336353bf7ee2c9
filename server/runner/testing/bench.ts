/** A runner on a repository with one commit for each set of files. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { makeBare, write, type Commit } from '../../git/testing/commits.ts'
import { temporaryFolder } from '../../terminal/testing/temporary-folder.ts'
import { CommandRunner, type RunnerOptions, onlyCommand } from '../command-runner.ts'
import { noReports, type Verdict } from '../verdict.ts'

export type Bench = {
  readonly folder: string
  readonly commits: readonly string[]
  readonly runner: CommandRunner
  readonly test: (commit?: number, id?: string) => Promise<Verdict | null>
  readonly log: (id?: string) => string
}

/** Runs `command` on commits, each of which adds these files to the one before. Each run that is not named otherwise is `run`. */
export async function benchWith(
  options: Partial<RunnerOptions> & { readonly command: string },
  ...files: readonly NonNullable<Commit['files']>[]
): Promise<Bench> {
  const folder = temporaryFolder()
  const mirror = join(folder, 'mirror.git')
  makeBare(mirror)
  const sets = files.length > 0 ? files : [{ 'shop.txt': 'open\n' }]
  const commits = await write(
    mirror,
    ...sets.map((each, index) => ({
      ref: `refs/heads/${index}`,
      ...(index === 0 ? {} : { from: `refs/heads/${index - 1}` }),
      files: each,
    })),
  )
  const runner = new CommandRunner({
    slots: join(folder, 'slots'),
    logs: join(folder, 'runs'),
    mirror,
    ...onlyCommand,
    readReports: noReports,
    graceMs: 200,
    leastFreeBytes: 0,
    ...options,
  })
  onTestFinished(() => runner.close())
  return {
    folder,
    commits,
    runner,
    test: (commit = 0, id = `run-${folder}`.replaceAll('/', '-')) =>
      runner.test({ id, commit: commits[commit] ?? '', numbers: [5, 7], base: 'below' }),
    log: (id = `run-${folder}`.replaceAll('/', '-')) => readFileSync(runner.logOf(id), 'utf8'),
  }
}

/** Settles when a process has made the file. */
export async function made(path: string): Promise<void> {
  await expect.poll(() => existsSync(path)).toBe(true)
}

/** The processes, other than this one, that have the text in their arguments. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}
