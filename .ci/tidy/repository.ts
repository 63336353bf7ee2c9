/** The repository as its readers get it: every file that is kept, none that a tool leaves behind. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `text` holds the whole file, `path` counts from the top of the repository, with slashes. */
export type RepositoryFile = { readonly path: string; readonly text: string }

/** Compiled, this file lies in dist/.ci/tidy/. */
const top = fileURLToPath(new URL('../../../', import.meta.url))

/** Made at the top level and never kept; `.gitignore` says the same to git. */
const made = new Set(['.git', 'node_modules', 'dist', 'coverage', 'data'])

export function topLevelEntries(): string[] {
  return readdirSync(top)
    .filter((name) => !made.has(name))
    .sort()
}

/** Every kept file, in the order of their paths. Reports are made; their README is kept. */
export function repositoryFiles(): RepositoryFile[] {
  return topLevelEntries()
    .flatMap(filesUnder)
    .filter((path) => !path.startsWith('reports/') || path === 'reports/README.md')
    .sort()
    .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))
}

/** Compiled files, as paths below dist/. */
export function compiledPaths(): string[] {
  return filesUnder('dist').map((path) => path.slice('dist/'.length))
}

function filesUnder(entry: string): string[] {
  const below = readdirSync(top, { withFileTypes: true }).find(({ name }) => name === entry)
  if (!below?.isDirectory()) return [entry]
  return readdirSync(join(top, entry), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(top.length).split(sep).join('/'))
}

/** A JSON file at the top level, parsed. */
export function jsonOf(name: string): unknown {
  return JSON.parse(readFileSync(join(top, name), 'utf8'))
}
