/** The files of the repository: those that git tracks. Others in its folder belong to the user. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, type Comment, type EcmaScriptModule } from 'oxc-parser'

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

// Parsed TypeScript sources: their imports, exports and comments.

export type Source = RepositoryFile & {
  readonly module: EcmaScriptModule
  readonly comments: readonly Comment[]
}

/** Parses a file. Throws if it has a syntax error. */
export function parse(file: RepositoryFile): Source {
  const { module, comments, errors } = parseSync(file.path, file.text)
  const [error] = errors
  if (error) throw new Error(`${file.path} does not parse: ${error.message}`)
  return { ...file, module, comments }
}

/** True for TypeScript, with or without markup in it. */
function isSource(path: string): boolean {
  return /\.tsx?$/.test(path)
}

let allSources: readonly Source[] | null = null

/** Returns all TypeScript sources of the repository. Parsed once per process. */
export function repositorySources(): readonly Source[] {
  return (allSources ??= repositoryFiles()
    .filter(({ path }) => isSource(path))
    .map(parse))
}

/** Returns the line number of a character; the first line is 1. */
export function lineAt(file: RepositoryFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length
}

/** True for tests and what only they use: contract suites, folders named testing, how tests are run. */
export function isTestCode(path: string): boolean {
  const isTest = /\.(?:test|contract)\.tsx?$/.test(path) || path.includes('/testing/')
  return isTest || path === 'vitest.config.ts'
}

// The imports of the sources. Type imports count as well.

export type Import = {
  /** The path of the importing file. */
  readonly from: string
  readonly specifier: string
  /** Path and line of the import. */
  readonly place: string
}

/**
 * Returns all imports of a source, of types and of values, with re-exports and dynamic imports. The
 * missing form, `import('./a.ts').A` as a type, is forbidden by oxlint.
 */
export function importsOf(source: Source): Import[] {
  const { staticImports, staticExports, dynamicImports } = source.module
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((each) => each.moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ]
  // A re-export has one entry for each name.
  const distinct = new Map(requests.map((request) => [request.start, request])).values()
  return [...distinct].flatMap(({ start, end }) => {
    // A dynamic import may compute its file name.
    const [, specifier] = /^["'](.*)["']$/.exec(source.text.slice(start, end)) ?? []
    if (specifier === undefined) return []
    return [{ from: source.path, specifier, place: `${source.path}:${lineAt(source, start)}` }]
  })
}

let allImports: readonly Import[] | null = null

/** Returns all imports of the repository. Computed once per process. */
export function repositoryImports(): readonly Import[] {
  return (allImports ??= repositorySources().flatMap(importsOf))
}

/** Returns the file that a relative import names; null for a package. */
export function targetOf({ from, specifier }: Import): string | null {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null
}

/** Returns relative imports that do not name an existing source with its extension. */
export function lostImports(imports: readonly Import[], paths: readonly string[]): Import[] {
  const sources = new Set(paths.filter(isSource))
  return imports.filter((each) => {
    const target = targetOf(each)
    return target !== null && !sources.has(target)
  })
}

/** Returns imports of packages by what ships that are not in `dependencies`. The live page is bundled with its own. */
export function missingInProduction(
  imports: readonly Import[],
  dependencies: readonly string[],
): Import[] {
  return imports.filter(({ from, specifier }) => {
    if (isTestCode(from) || !/^(?:server(?!\/page\/web)|sim)\//.test(from)) return false
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return false
    return !dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  })
}
