/** Refuses a report folder before the run, so that no result of a long run is lost. */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BadInput } from '../../terminal/bad-input.ts'

/** Throws `BadInput` if the folder, or the folder in which it would be made, cannot be written. */
export function refuseUnwritable(folder: string): void {
  const actual = obstacleOf(nearestThatExists(folder))
  if (actual === null) return
  throw new BadInput(folder, [
    { where: '--report', expected: 'a folder that can be written', actual },
  ])
}

/** Nothing is made before the run: one that is interrupted leaves no empty folder behind. */
function nearestThatExists(path: string): string {
  const parent = dirname(path)
  return existsSync(path) || parent === path ? path : nearestThatExists(parent)
}

function obstacleOf(existing: string): string | null {
  if (!statSync(existing).isDirectory()) return `${existing}, which is a file`
  try {
    accessSync(existing, constants.W_OK | constants.X_OK)
    return null
  } catch {
    return `${existing}, in which nothing can be written`
  }
}
