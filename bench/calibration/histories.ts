/** Histories of builds, and what simple rules of batch testing save on them. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCiRuns } from '../../sim/import/ci-runs.ts'

/** True for each build that failed, oldest first. */
export type History = readonly boolean[]

/** How many of a hundred failed. */
export const failing = (all: History): number =>
  Math.round((100 * all.filter(Boolean).length) / all.length)

/** Runs of a failing part that is tested one by one, with its own run. */
export const oneByOne = (part: History): number =>
  part.length > 1 && part.includes(true) ? 1 + part.length : 1

/** Runs of a part that is split in halves while it fails; parts of `stop` are tested one by one. */
export function halved(part: History, stop = 1): number {
  if (part.length <= stop) return oneByOne(part)
  if (part.length === 1 || !part.includes(true)) return 1
  const middle = Math.floor(part.length / 2)
  return 1 + halved(part.slice(0, middle), stop) + halved(part.slice(middle), stop)
}

/** The runs saved by batches of this size, in percent of one run for each build. */
export function savedBy(all: History, size: number, runsOf: (part: History) => number): number {
  let runs = 0
  for (let from = 0; from < all.length; from += size) runs += runsOf(all.slice(from, from + size))
  return 100 * (1 - runs / all.length)
}

export type NamedHistory = { readonly name: string; readonly builds: History }

/** Reads all histories (`.csv`) of the folder. Throws `BadInput` for one that cannot be read. */
export function readHistories(folder: string, isQuick: boolean): NamedHistory[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  return files.slice(0, isQuick ? 1 : files.length).map((name) => ({
    name: name.replace(/\.csv$/, ''),
    builds: readCiRuns(join(folder, name), name).map(({ outcome }) => outcome !== 'passed'),
  }))
}
