/** The options of `mergeyard sim import`. */

import {
  type OptionTable,
  type ParsedOptions,
  type Usage,
  wholeNumber,
} from '../../../../terminal/options.ts'
import type { BadInput } from '../../../../terminal/bad-input.ts'
import { usualMinutes } from '../../../../sim/import/lengths.ts'

const table = {
  github: {
    kind: 'value',
    value: 'owner/repo',
    help: 'download the history from GitHub, with the token in GITHUB_TOKEN',
  },
  save: {
    kind: 'value',
    value: 'folder',
    help: 'with --github: keep what was downloaded here (default: <repo>.history)',
  },
  from: {
    kind: 'value',
    value: 'folder',
    help: 'read what --github or gh api downloaded; sim/import/README.md lists the files',
  },
  git: { kind: 'value', value: 'folder', help: 'read this git repository, which may be bare' },
  branch: {
    kind: 'value',
    value: 'name',
    help: 'read the pull requests that landed on this branch (default: that of the repository)',
  },
  runs: {
    kind: 'value',
    value: 'file.csv',
    help: 'read test runs; columns: startedAt, durationSeconds, status',
  },
  junit: {
    kind: 'value',
    value: 'folder',
    help: 'read JUnit reports, one file or subfolder per run',
  },
  last: {
    kind: 'value',
    value: 'n',
    help: 'import only the last n pull requests or runs',
    default: '500',
  },
  'with-releases': { kind: 'flag', help: 'import also the commits that make a release' },
  'without-bots': {
    kind: 'flag',
    help: 'leave out what Dependabot, Renovate and other bots wrote',
  },
  'queue-label': {
    kind: 'value',
    value: 'name',
    help: 'of GitHub: the label that submits a pull request (default: automerge and the like)',
  },
  minutes: {
    kind: 'value',
    value: 'n',
    help: 'minutes of a run for a change of median size, where no run was measured',
    default: String(usualMinutes),
  },
  busier: {
    kind: 'value',
    value: 'times',
    help: 'multiply the arrival rate by this number',
    default: '1',
  },
  name: {
    kind: 'value',
    value: 'text',
    help: 'name of the scenario (default: that of the folder or file)',
  },
  out: {
    kind: 'value',
    value: 'file',
    help: 'write the scenario to this file (default: <name>.imported.json)',
  },
  force: { kind: 'flag', help: 'overwrite an existing file' },
  json: { kind: 'flag', help: 'print the scenario instead of writing it' },
} as const satisfies OptionTable

export const command = 'sim import'

export const usage: Usage<typeof table> = {
  command,
  npm: 'npm run sim -- import',
  about: `Make a scenario from a real history: what the API of GitHub tells, the log of a repository, a CSV
file of test runs, or the last two together.

  mergeyard sim import --github acme/shop
  mergeyard sim import --from shop.history
  mergeyard sim import --git ../my-repo
  mergeyard sim import --runs runs.csv`,
  table,
  more: `The log is read along first parents. It knows the merges of GitHub (button, squash, rebase, merge queue),
GitLab, Gerrit, bors, homu, Mergify, Kodiak and Tide, and says which it found. Direct pushes and releases
are left out and counted. Nothing is fetched: a partial clone is read as far as it goes.

A download goes on where it was interrupted. The history of GitHub tells when pull requests were submitted,
every run and which were repeated, what was refused and what was cancelled. The list "measured" in the
scenario has each figure with the number of its samples.

The CSV file needs a header line; an optional column commit contains the tested commit. Without it, flakes
cannot be told from failures. The list "assumed" in the scenario says what the history does not tell, and
how to replace it. To run a scenario file with the name import, write ./import.

Exit code: 0 success; 1 GitHub cannot be asked; 2 invalid input; 130 interrupted.
`,
}

export type ImportOptions = ParsedOptions<typeof table>

/** Returns the name of the scenario, which may not be longer than the schema allows. */
export function nameOf(parsed: ImportOptions, usual: string): string {
  return (parsed.text('name') ?? usual).slice(0, longestName)
}

/** The maximum length of the name of a scenario. */
const longestName = 80

export function atLeastOne(parsed: ImportOptions, name: 'last' | 'busier' | 'minutes'): number {
  const faultOf = (expected: string): BadInput => parsed.fault(name, expected)
  const number = wholeNumber(parsed.value(name), faultOf)
  if (number < 1) throw faultOf('1 or more')
  return number
}
