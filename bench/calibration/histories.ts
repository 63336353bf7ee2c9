/** Real histories of builds, and what a rule of batches saves on them. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCiRuns } from '../../sim/import/ci-runs.ts'

/** True for each build that failed, oldest first. */
export type History = readonly boolean[]

export type NamedHistory = { readonly name: string; readonly builds: History }

/** Reads all histories (`.csv`) of the folder. Throws `BadInput` for one that cannot be read. */
export function historiesIn(folder: string, isQuick: boolean): NamedHistory[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  return files.slice(0, isQuick ? 1 : files.length).map((name) => {
    const runs = readCiRuns(join(folder, name), name)
    return { name, builds: runs.map(({ outcome }) => outcome !== 'passed') }
  })
}

/** Runs of a failing part that is tested one by one, with its own run. */
export const oneByOne = (part: History): number =>
  part.length > 1 && part.includes(true) ? 1 + part.length : 1

/** The runs that batches save by a rule, in percent of one run for each build. */
export function savedBy(all: History, size: number, runsOf: (part: History) => number): number {
  let runs = 0
  for (let from = 0; from < all.length; from += size) runs += runsOf(all.slice(from, from + size))
  return savedShare(runs, all)
}

export function savedShare(runs: number, all: History): number {
  return 100 * (1 - runs / all.length)
}
