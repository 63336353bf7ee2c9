/** The folder of a download. A file is there when it is complete, so that a download can go on. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { downloadFile } from '../../../../../sim/import/github/layout.ts'
import type { GitHubRecords } from '../../../../../sim/import/github/records.ts'
import { readGitHub } from '../../../../../sim/import/github/read-folder.ts'
import { BadInput, shown } from '../../../../../terminal/bad-input.ts'

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
    this.#writeText(downloadFile, `${JSON.stringify(this.#manifest, null, 2)}\n`)
  }

  /** Another name first: a file that is there is whole. */
  #writeText(file: string, text: string): void {
    const path = this.#pathOf(file)
    mkdirSync(dirname(path), { recursive: true })
    const draft = join(this.#path, '.incomplete')
    writeFileSync(draft, text)
    renameSync(draft, path)
  }

  #pathOf(file: string): string {
    return join(this.#path, file)
  }
}
