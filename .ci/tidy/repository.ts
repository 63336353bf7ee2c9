/** The files of the repository, without the files that tools generate. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file. `path` is relative to the top of the repository, with slashes. */
export type RepositoryFile = { readonly path: string; readonly text: string }

/** The top of the repository. The compiled form of this file is in dist/.ci/tidy/. */
const top = fileURLToPath(new URL('../../../', import.meta.url))

/** Generated entries of the top level. `.gitignore` lists them as well. */
const generated = new Set(['.git', 'node_modules', 'dist', 'coverage', 'data'])

/** An import writes its scenario to such a file, wherever it is called. `.gitignore` lists them. */
const isImported = (path: string): boolean => path.endsWith('.imported.json')

/** Returns the sorted names at the top level, without generated ones. */
export function topLevelEntries(): string[] {
  return readdirSync(top)
    .filter((name) => !generated.has(name) && !isImported(name))
    .sort()
}

/** Returns all tracked files, sorted by path. Git tracks only some of the reports. */
export function repositoryFiles(): RepositoryFile[] {
  const isKept = keptReports(readFileSync(join(top, '.gitignore'), 'utf8'))
  return topLevelEntries()
    .flatMap(filesUnder)
    .filter((path) => !isImported(path) && (!path.startsWith('reports/') || isKept(path)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))
}

/**
 * Returns a test for paths of reports: true if the `.gitignore` makes an exception for the path.
 */
export function keptReports(gitignore: string): (path: string) => boolean {
  const kept = [...gitignore.matchAll(/^!\/(reports\/.*?)\/?$/gm)].map(([, path]) => path ?? '')
  return (path) => kept.some((each) => path === each || path.startsWith(`${each}/`))
}

/** Returns the compiled files, as paths below dist/. */
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

/** Parses a JSON file of the top level. */
export function jsonOf(name: string): unknown {
  return JSON.parse(readFileSync(join(top, name), 'utf8'))
}
