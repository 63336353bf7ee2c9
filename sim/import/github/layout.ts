/** The files of a folder with a history from GitHub, and what writes each of them. */

import type { SchemaName } from './schemas.ts'

export type FileKind<Name extends SchemaName = SchemaName> = {
  /** A folder has one file `<name>.json`, or files in the folder `<name>/`, or both. */
  readonly name: string
  /** What the name of a file in the folder is; null for any name. */
  readonly key: { readonly pattern: RegExp; readonly words: string } | null
  /** True if `<name>.json` is read. */
  readonly isFile: boolean
  /** What a file holds. */
  readonly words: string
  /** Null: one object. Else the list is the answer itself, or in this field of it. */
  readonly list: { readonly field: string | null } | null
  readonly schema: Name
  /** The command without `gh api` and without the file that it writes. */
  readonly command: string
}

const repo = 'repos/{owner}/{repo}'
const plain = { field: null }
const number = { pattern: /^[1-9]\d*$/, words: '<number>' }
const commit = { pattern: /^[0-9a-f]{7,64}$/, words: '<sha>' }
const attempt = { pattern: /^\d+-\d+$/, words: '<id>-<attempt>' }

/** What a history may have. Only pull requests are needed. */
export const fileKinds = {
  repo: {
    ...{ name: 'repo', key: null, isFile: true, list: null, schema: 'repository' },
    words: 'the repository',
    command: repo,
  },
  rules: {
    ...{ name: 'rules', key: null, isFile: true, list: plain, schema: 'rule' },
    words: 'a list of the rules of the branch',
    command: `--paginate ${repo}/rules/branches/main`,
  },
  pulls: {
    ...{ name: 'pulls', key: null, isFile: true, list: plain, schema: 'pull' },
    words: 'a list of pull requests',
    command: `--paginate '${repo}/pulls?state=closed&sort=updated&direction=desc&per_page=100'`,
  },
  timeline: {
    ...{ name: 'timeline', key: number, isFile: false, list: plain, schema: 'timelineItem' },
    words: 'the timeline of a pull request',
    command: `--paginate '${repo}/issues/<number>/timeline?per_page=100'`,
  },
  files: {
    ...{ name: 'files', key: number, isFile: false, list: plain, schema: 'changedFile' },
    words: 'a list of the files that a pull request changes',
    command: `--paginate '${repo}/pulls/<number>/files?per_page=100'`,
  },
  runs: {
    ...{ name: 'runs', key: null, isFile: true, schema: 'workflowRun' },
    list: { field: 'workflow_runs' },
    words: 'a list of workflow runs',
    command: `--paginate '${repo}/actions/runs?event=merge_group&created=2026-01-01..2026-01-31&per_page=100'`,
  },
  attempts: {
    ...{ name: 'attempts', key: attempt, isFile: false, list: null, schema: 'workflowRun' },
    words: 'an earlier attempt of a workflow run',
    command: `${repo}/actions/runs/<id>/attempts/<attempt>`,
  },
  'check-runs': {
    ...{ name: 'check-runs', key: commit, isFile: false, schema: 'checkRun' },
    list: { field: 'check_runs' },
    words: 'a list of the check runs of a commit',
    command: `--paginate '${repo}/commits/<sha>/check-runs?filter=all&per_page=100'`,
  },
  statuses: {
    ...{ name: 'statuses', key: commit, isFile: false, list: plain, schema: 'commitStatus' },
    words: 'a list of the statuses of a commit',
    command: `--paginate '${repo}/commits/<sha>/statuses?per_page=100'`,
  },
} as const satisfies Readonly<Record<string, FileKind>>

/** Says of which repository and time a download is; it is not a part of the history. */
export const downloadFile = 'download.json'

/** Where a file lies in the folder. */
export const pathOf = ({ name, key }: FileKind): string =>
  key ? `${name}/${key.words}.json` : `${name}.json`

export const commandOf = ({ command }: FileKind): string => `gh api ${command}`

/** The kind of a file by its path in the folder, and its key; null if it is not of a history. */
export function kindOf(path: string): { readonly kind: FileKind; readonly key: string } | null {
  const found = /^([\w-]+)(?:\/([\w-]+))?\.json$/.exec(path)
  if (!found) return null
  const [, first = '', second] = found
  const kind: FileKind | undefined = Object.values(fileKinds).find(({ name }) => name === first)
  if (!kind) return null
  if (second === undefined) return kind.isFile ? { kind, key: '' } : null
  const isKey = kind.key === null ? kind.list !== null : kind.key.pattern.test(second)
  return isKey ? { kind, key: second } : null
}
