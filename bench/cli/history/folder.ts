/** The folder of a download. A file is there when it is complete, so that a download can go on. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { downloadFile, readGitHub } from '../../../sim/import/github/read-folder.ts'
import type { GitHubRecords, Pull } from '../../../sim/import/github/records.ts'
import { signalsOf, type Signal } from '../../../sim/import/github/signals.ts'
import { BadInput, shown } from '../../../server/terminal/bad-input.ts'
import { makeFolder, writeResultFile } from '../../../server/terminal/files.ts'
import { jsonOf } from '../../../sim/cli/report-files.ts'

/** What a download is of. One that goes on must be of the same. */
export type Wanted = {
  /** `owner/name`. */
  readonly repository: string
  /** Null: the default branch. */
  readonly branch: string | null
  readonly last: number
}

type Manifest = Wanted & {
  /** Nothing that is younger is asked for. */
  readonly until: string
  readonly isComplete: boolean
}

export class HistoryFolder {
  readonly #path: string
  readonly #name: string
  #manifest: Manifest

  /** Opens or makes the folder; faults call it `name`. Throws `BadInput` if it is of something else. */
  constructor(path: string, name: string, wanted: Wanted & { readonly now: string }) {
    this.#path = path
    this.#name = name
    const known = this.#known()
    const { now, ...rest } = wanted
    this.#manifest = known ?? { ...rest, until: now, isComplete: false }
    if (known) this.#checkSame(known, rest)
    else this.#writeManifest({})
  }

  get isComplete(): boolean {
    return this.#manifest.isComplete
  }

  get until(): string {
    return this.#manifest.until
  }

  has(file: string): boolean {
    return existsSync(this.#pathOf(file))
  }

  /** A list has one object a line. */
  write(file: string, content: unknown): void {
    const lines =
      Array.isArray(content) && content.length > 0
        ? content.map((each) => JSON.stringify(each))
        : null
    const text = lines ? `[\n${lines.join(',\n')}\n]\n` : `${JSON.stringify(content)}\n`
    this.#writeText(file, text)
  }

  finish(): void {
    this.#writeManifest({ isComplete: true })
  }

  /** The object in a file that was written. */
  readOne(file: string): unknown {
    const value: unknown = JSON.parse(readFileSync(this.#pathOf(file), 'utf8'))
    return value
  }

  read(): GitHubRecords {
    return readGitHub(this.#path, this.#name)
  }

  #known(): Manifest | null {
    if (!existsSync(this.#path)) return null
    const path = join(this.#path, downloadFile)
    if (existsSync(path)) {
      const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'))
      return manifest
    }
    const [first] = readdirSync(this.#path)
    if (first === undefined) return null
    const expected = 'a new folder, or one with a download; choose another with --save'
    throw new BadInput(this.#name, [
      { where: '--save', expected, actual: `a folder with ${first}` },
    ])
  }

  #checkSame(known: Manifest, wanted: Wanted): void {
    for (const name of ['repository', 'branch', 'last'] as const) {
      if (known[name] === wanted[name]) continue
      const expected = `a download with ${name} ${shown(wanted[name])}; choose another folder with --save`
      const actual = shown(known[name])
      throw new BadInput(this.#name, [{ where: `${downloadFile}/${name}`, expected, actual }])
    }
  }

  #writeManifest(change: Partial<Manifest>): void {
    this.#manifest = { ...this.#manifest, ...change }
    this.#writeText(downloadFile, jsonOf(this.#manifest))
  }

  #writeText(file: string, text: string): void {
    const path = this.#pathOf(file)
    makeFolder(dirname(path))
    writeResultFile(path, [text])
  }

  #pathOf(file: string): string {
    return join(this.#path, file)
  }
}

// Which runs a history needs.

/** Runs of one event, on one branch if it has one, from the first to the last instant. */
export type RunQuery = {
  readonly name: string
  readonly event: string
  readonly branch: string | null
  readonly fromMs: number
  readonly toMs: number
}

export type WantedRuns = {
  readonly queries: readonly RunQuery[]
  /** The commits of pull requests that no queue tested. */
  readonly commits: readonly string[]
}

const dayMs = 86_400_000

export function wantedRuns(
  { pulls, timelines }: GitHubRecords,
  queueLabel: string | null,
): WantedRuns {
  const all = pulls.map((pull) => ({
    pull,
    signals: signalsOf(pull, timelines.get(pull.number) ?? [], queueLabel),
  }))
  const queued = all.filter(({ signals }) => begins(signals, 'merge queue'))
  const others = all.filter(({ signals }) => !begins(signals, 'merge queue'))
  const commanded = others.filter(({ signals }) => begins(signals, 'comment'))
  const merged = others.filter(({ pull }) => pull.merged_at !== null)
  const branch = pulls[0]?.base.ref ?? null
  return {
    queries: [
      ...query('merge_group', null, queued),
      ...query('push', 'staging', commanded),
      ...query('push', 'auto', commanded),
      ...(branch === null ? [] : query('push', branch, merged)),
    ],
    commits: [...new Set(others.flatMap(({ pull, signals }) => commitsOf(pull, signals)))],
  }
}

type Known = { readonly pull: Pull; readonly signals: readonly Signal[] }

function begins(signals: readonly Signal[], kind: string): boolean {
  return signals.some((signal) => signal.is === 'begin' && signal.kind === kind)
}

/** A day more on each side: for the run before the first merge, and for what was repeated later. */
function query(event: string, branch: string | null, about: readonly Known[]): RunQuery[] {
  const times = about.flatMap(({ pull, signals }) => [
    ...signals.flatMap(({ is, atMs }) => (is === 'begin' ? atMs : [])),
    Date.parse(pull.merged_at ?? pull.closed_at ?? pull.created_at),
  ])
  if (times.length === 0) return []
  const fromMs = times.reduce((least, atMs) => Math.min(least, atMs)) - dayMs
  const toMs = times.reduce((most, atMs) => Math.max(most, atMs)) + dayMs
  return [{ name: branch === null ? event : `${event}-${branch}`, event, branch, fromMs, toMs }]
}

/** The head, and for one that was submitted earlier all commits since then. */
function commitsOf(pull: Pull, signals: readonly Signal[]): string[] {
  const first = signals.findIndex((signal) => signal.is === 'begin' && signal.kind !== 'approval')
  const before = signals.slice(0, Math.max(0, first)).findLastIndex(({ is }) => is === 'push')
  const since = first === -1 ? [] : signals.slice(before === -1 ? first : before)
  const pushed = since.flatMap((signal) => (signal.is === 'push' ? (signal.sha ?? []) : []))
  return [...pushed, pull.head.sha]
}
