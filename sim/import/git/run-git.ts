/** Runs git on a repository that somebody else may have written. */

import { spawnSync } from 'node:child_process'
import { BadInput } from '../../../server/terminal/bad-input.ts'

const mostBytes = 2 ** 30

export type GitAnswer = { readonly isOk: boolean; readonly text: string; readonly fault: string }

/**
 * Runs git in the folder, with `input` as its standard input. Objects that a partial clone lacks are
 * never fetched: newer versions of git know the variable, all know the protocols.
 */
export function askGit(folder: string, args: readonly string[], input = ''): GitAnswer {
  const always = ['-c', 'core.quotePath=false', '-c', 'protocol.allow=never', '-C', folder]
  const { stdout, stderr, status, error } = spawnSync('git', [...always, ...args], {
    encoding: 'utf8',
    input,
    maxBuffer: mostBytes,
    // In a hook, git sets GIT_DIR, which would win over the folder.
    env: {
      ...process.env,
      GIT_DIR: undefined,
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    },
  })
  const lines = (error ? error.message : stderr).split('\n')
  const fault = lines.find((line) => !line.startsWith('warning: ')) ?? 'nothing'
  return { isOk: !error && status === 0, text: stdout, fault }
}

/** Throws `BadInput` for a folder without a repository. */
export function checkRepository(folder: string, name: string): void {
  const { isOk, fault } = askGit(folder, ['rev-parse', '--git-dir'])
  if (isOk) return
  throw new BadInput(name, [{ where: '--git', expected: 'a git repository', actual: fault }])
}
