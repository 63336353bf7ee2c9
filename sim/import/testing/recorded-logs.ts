/**
 * Logs of real projects: one commit per line, with short hashes. Names of people, addresses and parts
 * of messages that no rule reads are removed.
 */

import { readFileSync } from 'node:fs'
import { landedOf } from '../landed.ts'
import { classify } from '../landings/classify.ts'
import type { Commit } from '../landings/rules.ts'
import type { LandedHistory } from '../sources.ts'

/** Returns the recorded commits of a project, oldest first. */
export function recordedLog(project: string): Commit[] {
  const text = readFileSync(`sim/import/testing/logs/${project}.jsonl`, 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const commit: Commit = JSON.parse(line)
      return commit
    })
}

/** A commit that landed in the n-th minute, one parent and a person's unless it says otherwise. */
export function commitAt(minute: number, commit: Partial<Commit>): Commit {
  return {
    hash: String(minute).padStart(2, '0').repeat(20),
    parents: ['0'.repeat(40)],
    atMs: minute * 60_000,
    author: 'person 1',
    committer: 'GitHub',
    subject: 'By hand',
    body: '',
    ...commit,
  }
}

/** The parents of a merge commit. */
export const twoParents = ['0'.repeat(40), '1'.repeat(40)]

type LogOptions = Partial<Pick<LandedHistory, 'sizesIn'>> & {
  /** Those that each of them changes. */
  readonly files?: readonly string[]
  readonly withoutBots?: boolean
}

/** What is read of a whole clone with these commits on main. */
export function logOf(
  commits: readonly Commit[],
  { files = [], sizesIn = 'lines', withoutBots = false }: LogOptions = {},
): LandedHistory {
  const classified = classify(commits, { last: 500, withReleases: false, withoutBots })
  const landed = landedOf(classified.landings, () => ({ size: 1, files }))
  return { branch: 'main', landed, classified, sizesIn, baseAges: [], isCut: false }
}
