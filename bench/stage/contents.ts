/**
 * A scenario as files: what a pull request does to the tests stands in a file of its own, and each
 * text conflict is a line that both sides change.
 */

import type { PullRequestEntry } from '../../sim/scenario/scenario.ts'

export type File = { readonly path: string; readonly text: string }

/** The line that two pull requests change, in a file of their own. */
function sharedPath(a: number, b: number): string {
  const [first, second] = a < b ? [a, b] : [b, a]
  return `shared/${first}-${second}.txt`
}

/** The files of the target branch before the first merge, without the tests. */
export function filesAtStart(entries: readonly PullRequestEntry[]): File[] {
  const paths = new Set(
    entries.flatMap(({ number, conflictsWith = [] }) =>
      conflictsWith.map((other) => sharedPath(number, other)),
    ),
  )
  const manifest = {
    name: 'stage',
    private: true,
    type: 'module',
    scripts: { test: 'node test.mjs' },
  }
  return [
    { path: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: '.gitignore', text: 'report.xml\n' },
    ...[...paths].map((path) => ({ path, text: 'nobody has changed this line\n' })),
  ]
}

/** The files that a pull request adds or changes. */
export function filesOf(entry: PullRequestEntry, all: readonly PullRequestEntry[]): File[] {
  const { number, breaks, breaksWith, fixes, flakyRuns } = entry
  const others = new Set([
    ...(entry.conflictsWith ?? []),
    ...all.flatMap((other) => (other.conflictsWith?.includes(number) ? [other.number] : [])),
  ])
  const change = { number, breaks, breaksWith, fixes, flakyRuns }
  return [
    { path: `pulls/${number}.json`, text: `${JSON.stringify(change, null, 2)}\n` },
    ...[...others].map((other) => ({
      path: sharedPath(number, other),
      text: `pull request ${number} has changed this line\n`,
    })),
  ]
}
