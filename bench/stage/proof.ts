/** What became of a stage, read from git alone. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../server/git/git.ts'

export type LandedCommit = { readonly commit: string; readonly numbers: readonly number[] }

/** The commits on the target branch, oldest first, with the pull requests that they name. */
export async function landedIn(repository: string): Promise<LandedCommit[]> {
  const format = '--format=%H%x00%(trailers:key=Mergeyard-Pull,valueonly,separator=%x2C)'
  const log = ['log', '--first-parent', '--reverse', format, 'main']
  const lines = (await git(['--git-dir', repository, ...log])).trim().split('\n')
  return lines.map((line) => {
    const [commit = '', numbers = ''] = line.split('\0')
    return { commit, numbers: numbers === '' ? [] : numbers.split(',').map(Number) }
  })
}

/** The commits on which the tests fail; the tests run as a person would run them, in a clone. */
export async function brokenCommits(
  folder: string,
  repository: string,
  commits: readonly string[],
): Promise<string[]> {
  const clone = mkdtempSync(join(folder, 'clone-'))
  await git(['clone', '--quiet', repository, clone])
  const broken: string[] = []
  for (const commit of commits) {
    await git(['-C', clone, 'checkout', '--quiet', '--force', commit])
    if (!passes(clone)) broken.push(commit)
  }
  rmSync(clone, { recursive: true })
  return broken
}

function passes(folder: string): boolean {
  try {
    execFileSync('node', ['test.mjs'], {
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'] },
    })
    return true
  } catch {
    return false
  }
}

/** What the server has left behind in the repository: test branches. */
export async function leftBehind(repository: string): Promise<string[]> {
  const refs = await git(['--git-dir', repository, 'for-each-ref', '--format=%(refname)'])
  return refs.split('\n').filter((ref) => ref.startsWith('refs/heads/mergeyard/'))
}
