/** `--from`: a folder with what the API of GitHub answered. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createScanner } from 'jsonc-parser'
import { schemaFaults } from '../../../engine/index.ts'
import { BadInput, type InputFault, shown } from '../../../server/terminal/bad-input.ts'
import { kindAt, readBytes } from '../../../server/terminal/files.ts'
import { deepestNesting, parseJson, utf8Of } from '../../../server/terminal/json-text.ts'
import { type SchemaName, type GitHubRecords, type Pull, checkOf, type Items } from './records.ts'

// The files of a folder with a history from GitHub, and what writes each of them.

export type FileKind<Name extends SchemaName = SchemaName> = {
  /** A folder has one file `<name>.json`, or files in the folder `<name>/`, or both. */
  readonly name: string
  /** What the name of a file in the folder is; null for any name, and then `<name>.json` is read as well. */
  readonly key: { readonly pattern: RegExp; readonly words: string } | null
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
    name: 'repo',
    key: null,
    list: null,
    schema: 'repository',
    words: 'the repository',
    command: repo,
  },
  rules: {
    name: 'rules',
    key: null,
    list: plain,
    schema: 'rule',
    words: 'a list of the rules of the branch',
    command: `--paginate ${repo}/rules/branches/main`,
  },
  pulls: {
    name: 'pulls',
    key: null,
    list: plain,
    schema: 'pull',
    words: 'a list of pull requests',
    command: `--paginate '${repo}/pulls?state=closed&sort=updated&direction=desc&per_page=100'`,
  },
  timeline: {
    name: 'timeline',
    key: number,
    list: plain,
    schema: 'timelineItem',
    words: 'the timeline of a pull request',
    command: `--paginate '${repo}/issues/<number>/timeline?per_page=100'`,
  },
  files: {
    name: 'files',
    key: number,
    list: plain,
    schema: 'changedFile',
    words: 'a list of the files that a pull request changes',
    command: `--paginate '${repo}/pulls/<number>/files?per_page=100'`,
  },
  runs: {
    name: 'runs',
    key: null,
    schema: 'workflowRun',
    list: { field: 'workflow_runs' },
    words: 'a list of workflow runs',
    command: `--paginate '${repo}/actions/runs?event=merge_group&created=2026-01-01..2026-01-31&per_page=100'`,
  },
  attempts: {
    name: 'attempts',
    key: attempt,
    list: null,
    schema: 'workflowRun',
    words: 'an earlier attempt of a workflow run',
    command: `${repo}/actions/runs/<id>/attempts/<attempt>`,
  },
  'check-runs': {
    name: 'check-runs',
    key: commit,
    schema: 'checkRun',
    list: { field: 'check_runs' },
    words: 'a list of the check runs of a commit',
    command: `--paginate '${repo}/commits/<sha>/check-runs?filter=all&per_page=100'`,
  },
  statuses: {
    name: 'statuses',
    key: commit,
    list: plain,
    schema: 'commitStatus',
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
function kindOf(path: string): { readonly kind: FileKind; readonly key: string } | null {
  const found = /^([\w-]+)(?:\/([\w-]+))?\.json$/.exec(path)
  if (!found) return null
  const [, first = '', second] = found
  const kind: FileKind | undefined = Object.values(fileKinds).find(({ name }) => name === first)
  if (!kind) return null
  if (second === undefined) return kind.key === null ? { kind, key: '' } : null
  const isKey = kind.key === null ? kind.list !== null : kind.key.pattern.test(second)
  return isKey ? { kind, key: second } : null
}

// The objects in a file of a history, each held to its schema.

/**
 * Returns the objects in the values of a file: each value is one, a page with a list of them, or a list of
 * such pages. Throws `BadInput`, with JSON pointers and the command that writes the file.
 */
function checkedItems<Name extends SchemaName>(
  kind: FileKind<Name>,
  values: readonly unknown[],
  source: string,
): Items[Name][] {
  const faults: InputFault[] = []
  const isItem = checkOf(kind.schema)
  const items: Items[Name][] = []
  for (const { where, value } of placed(kind, values)) {
    if (isItem(value)) {
      items.push(value)
      continue
    }
    const whole = { where: '', expected: kind.words, actual: value }
    const found = hasMessage(value) ? [whole] : schemaFaults(isItem.errors ?? [])
    faults.push(
      ...found.map(({ where: inside, expected, actual }) => ({
        where: where + inside,
        expected: inside === '' ? kind.words : expected,
        actual: inside === '' ? answered(value) : shown(actual),
      })),
    )
    if (faults.length >= mostFaults) break
  }
  const [first, ...more] = faults.slice(0, mostFaults)
  if (!first) return items
  const advice = `; write the file again with: ${commandOf(kind)}`
  throw new BadInput(source, [{ ...first, actual: first.actual + advice }, ...more])
}

type Placed = { readonly where: string; readonly value: unknown }

function placed({ list }: FileKind, values: readonly unknown[]): Placed[] {
  const isMany = values.length > 1
  return values.flatMap((value, index) => {
    const where = isMany ? `/${index}` : ''
    if (list === null) return [{ where, value }]
    return inList(value, where, list.field)
  })
}

/** The items of a page; `--slurp` puts pages into a list. A value that is no list stands for itself. */
function inList(value: unknown, where: string, field: string | null): Placed[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => {
      const at = `${where}/${index}`
      const isPage = Array.isArray(each) || (field !== null && listIn(each, field) !== null)
      return isPage ? inList(each, at, field) : [{ where: at, value: each }]
    })
  }
  const inField = field === null ? null : listIn(value, field)
  return inField === null ? [{ where, value }] : inList(inField, `${where}/${field ?? ''}`, field)
}

function listIn(value: unknown, field: string): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null) return null
  const found: unknown = Object.entries(value).find(([name]) => name === field)?.[1]
  return Array.isArray(found) ? found : null
}

/** GitHub's own words, where the file holds the answer to a request that failed. */
function answered(value: unknown): string {
  return hasMessage(value) ? `the answer ${shown(value.message)}` : shown(value)
}

function hasMessage(value: unknown): value is { readonly message: unknown } {
  return typeof value === 'object' && value !== null && 'message' in value && !('sha' in value)
}

type File = { readonly path: string; readonly kind: FileKind; readonly key: string }

/** Reads the folder; faults call it `name`. Throws `BadInput` for unknown and damaged files. */
export function readGitHub(folder: string, name: string): GitHubRecords {
  const files = filesIn(folder, name)
  /** All items of the files of a kind, by the key of the file. */
  function read<Name extends SchemaName>(kind: FileKind<Name>): Map<string, Items[Name][]> {
    const mine = files.filter((file) => file.kind.name === kind.name)
    return new Map(
      mine.map(({ path, key }) => {
        const source = `${name}/${path}`
        const values = jsonValues(utf8Of(readBytes(join(folder, path), source), source), source)
        return [key, checkedItems(kind, values, source)]
      }),
    )
  }
  const rules = read(fileKinds.rules)
  return {
    repository: [...read(fileKinds.repo).values()].flat()[0] ?? null,
    rules: rules.size === 0 ? null : [...rules.values()].flat(),
    pulls: uniquePulls([...read(fileKinds.pulls).values()].flat()),
    timelines: byNumber(read(fileKinds.timeline)),
    files: byNumber(read(fileKinds.files)),
    runs: [...read(fileKinds.runs).values(), ...read(fileKinds.attempts).values()].flat(),
    checks: [...read(fileKinds['check-runs']).values()].flat(),
    statuses: read(fileKinds.statuses),
  }
}

function byNumber<Item>(all: ReadonlyMap<string, Item[]>): Map<number, Item[]> {
  return new Map([...all].map(([key, items]) => [Number(key), items]))
}

/** Pages that were read while the list moved may repeat a pull request. */
function uniquePulls(pulls: readonly Pull[]): Pull[] {
  return [...new Map(pulls.map((pull) => [pull.number, pull])).values()]
}

/** Faults are told ten at a time, which is enough to see what is wrong. */
const mostFaults = 10

function filesIn(folder: string, name: string): File[] {
  if (kindAt(folder) !== 'folder') {
    const expected = 'a folder with what the API of GitHub answered'
    throw new BadInput(name, [{ where: '--from', expected, actual: 'none' }])
  }
  const faults: InputFault[] = []
  const files = pathsIn(folder).flatMap((path) => {
    const found = kindOf(path)
    if (found) return { path, ...found }
    if (path !== downloadFile) faults.push(strange(path))
    return []
  })
  if (faults.length > 0) throw new BadInput(name, faults.slice(0, mostFaults))
  if (!files.some(({ kind }) => kind.name === fileKinds.pulls.name)) {
    const expected = `pulls.json, as written by: ${commandOf(fileKinds.pulls)} > pulls.json`
    throw new BadInput(name, [{ where: '--from', expected, actual: 'no such file' }])
  }
  return files
}

/** The files of the folder and of its folders, in order. Hidden ones are ignored. */
function pathsIn(folder: string): string[] {
  const visible = (path: string) =>
    readdirSync(join(folder, path), { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.'))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return visible('').flatMap((entry) =>
    entry.isDirectory()
      ? visible(entry.name).map((inside) => `${entry.name}/${inside.name}`)
      : [entry.name],
  )
}

function strange(path: string): InputFault {
  const [first = ''] = path.split(/[/.]/)
  const kind: FileKind | undefined = Object.values(fileKinds).find((each) => each.name === first)
  const expected = kind?.key
    ? `${pathOf(kind)}; rename it or remove it`
    : `only files of a history: ${allNames}; remove it`
  return { where: path, expected, actual: 'another file' }
}

const allNames = Object.values(fileKinds)
  .map(({ name, key }) => (key === null ? `${name}.json` : `${name}/`))
  .join(', ')

// The values of a JSON text. `gh api --paginate` writes one value for each page: one after the other, or
// with `--slurp` in one list.

/** Returns the values of the text in order. Throws `BadInput` with line and column. */
function jsonValues(json: string, source: string): unknown[] {
  return json.trim() === '' ? [parseJson(json, source)] : [...parts(json)].map(valueOf)

  function valueOf({ from, to, line, isDeep }: Part): unknown {
    const part = json.slice(from, to)
    // Finds the place, and throws. The empty lines keep the number of the line.
    const refuse = (): unknown => parseJson('\n'.repeat(line) + part, source)
    if (isDeep) return refuse()
    try {
      const value: unknown = JSON.parse(part)
      return value
    } catch {
      return refuse()
    }
  }
}

type Part = {
  readonly from: number
  readonly to: number
  readonly line: number
  /** Those who walk through the value would exhaust the stack. */
  readonly isDeep: boolean
}

/** Yields where each object or list at the top begins and ends. The last may be incomplete. */
function* parts(text: string): Generator<Part> {
  const scanner = createScanner(text, true)
  let [from, line, depth, deepest] = [0, 0, 0, 0]
  const partTo = (to: number): Part => ({ from, to, line, isDeep: deepest > deepestNesting })
  let ended: { readonly at: number; readonly line: number } | null = null
  for (;;) {
    scanner.scan()
    const sign = text[scanner.getTokenOffset()]
    if (sign === undefined) break
    const isOpening = sign === '{' || sign === '['
    if (isOpening && ended) {
      yield partTo(ended.at)
      deepest = 0
      from = ended.at
      line = ended.line
    }
    ended = null
    if (isOpening) deepest = Math.max(deepest, ++depth)
    if (sign !== '}' && sign !== ']') continue
    depth -= 1
    if (depth <= 0) ended = { at: scanner.getPosition(), line: scanner.getTokenStartLine() }
  }
  yield partTo(text.length)
}
