/** The built files of a page, read at the first request for each. Nothing else of the folder is served. */

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export type BuiltFile = { readonly type: string; readonly content: Buffer }

export class BuiltFiles {
  readonly #folder: string
  readonly #files = new Map<string, BuiltFile>()
  #names: ReadonlySet<string> | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The file of that name; null if there is none. A name from outside is only compared. */
  file(name: string): BuiltFile | null {
    const known = this.#files.get(name)
    if (known) return known
    this.#names ??= namesIn(this.#folder)
    if (!this.#names.has(name)) {
      // It may be built while the server runs.
      if (this.#names.size === 0) this.#names = null
      return null
    }
    const type = types[extname(name)] ?? 'application/octet-stream'
    const file = { type, content: readFileSync(join(this.#folder, name)) }
    this.#files.set(name, file)
    return file
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return new Set(
      files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)),
    )
  } catch {
    return new Set()
  }
}
