/** What the pull requests of a story change. */

import type { PullRequestEntry } from '../../../../sim/scenario/scenario.ts'
import { type File, filesAtStart, filesOf } from '../../repository.ts'

type Texts = Readonly<Record<string, string>>

export function startFiles(entries: readonly PullRequestEntry[]): Texts {
  return textsOf(filesAtStart(entries))
}

/** The tests of the repository fail while there is a folder `broken`. */
export function changedFiles(entry: PullRequestEntry, all: readonly PullRequestEntry[]): Texts {
  const broken = entry.breaks === true ? { [`broken/${entry.number}`]: 'yes\n' } : {}
  return { ...textsOf(filesOf(entry, all)), ...broken }
}

function textsOf(files: readonly File[]): Texts {
  return Object.fromEntries(files.map(({ path, text }) => [path, text]))
}
