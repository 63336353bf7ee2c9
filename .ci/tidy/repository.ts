/** The files of the repository: those that git tracks. Others in its folder belong to the user. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file. `path` is relative to the top of the repository, with slashes. */
export type RepositoryFile = { readonly path: string; readonly text: string }

/** The top of the repository. The compiled form of this file is in dist/.ci/tidy/. */
const top = fileURLToPath(new URL('../../../', import.meta.url))

/** Returns the sorted names at the top level. */
export function topLevelEntries(): string[] {
  return [...new Set(trackedPaths().map((path) => path.replace(/\/.*/, '')))].sort()
}

/** Returns all tracked files, sorted by path. */
export function repositoryFiles(): RepositoryFile[] {
  return trackedPaths().map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))
}

/** Returns the sorted paths that git tracks, without files that have just been deleted or moved. */
function trackedPaths(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: top, encoding: 'utf8' })
  const paths = new Set(listed.split('\0').filter((path) => path !== ''))
  return [...paths].filter((path) => existsSync(join(top, path))).sort()
}

/** Returns the compiled files, as paths below dist/. */
export function compiledPaths(): string[] {
  const dist = join(top, 'dist')
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => relative(dist, join(each.parentPath, each.name)).split(sep).join('/'))
}

/** Parses a JSON file of the top level. */
export function jsonOf(name: string): unknown {
  return JSON.parse(readFileSync(join(top, name), 'utf8'))
}
