/** A branch of a repository as pull requests that landed. */

import { findBranch } from './git/branch.ts'
import { readChangedFiles } from './git/changed-files.ts'
import { readCommits } from './git/commits.ts'
import { checkRepository } from './git/run-git.ts'
import { landedOf } from './landed.ts'
import { classify, type ClassifyOptions } from './landings/classify.ts'
import type { LandedHistory } from './sources.ts'

type LogSource = {
  readonly folder: string
  /** Null for the default branch. */
  readonly branch: string | null
  /** The name of the folder in faults. */
  readonly source: string
}

/** More commits than pull requests are read, because some land none and others are rebased. */
const commitsPerLanding = 4

/** Reads the last pull requests of the branch. Throws `BadInput`. */
export function readLog(from: LogSource, options: ClassifyOptions): LandedHistory {
  const { folder, source } = from
  checkRepository(folder, source)
  const { name, hash } = findBranch(folder, from.branch, source)
  const most = options.last * commitsPerLanding
  const classified = classify(readCommits({ folder, hash, most }, source), options)
  const hashes = classified.landings.flatMap(({ commits }) => commits.map((each) => each.hash))
  const changed = readChangedFiles(folder, [...new Set(hashes)])
  const landed = landedOf(classified.landings, changed.of)
  return { branch: name, landed, classified, sizesIn: changed.countedIn }
}
