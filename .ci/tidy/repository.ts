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

// The repository works anywhere: it names no path of a machine, no registry, no unpinned version.

const machinePath =
  /(?<![\w.:/~-])\/(?:home|root|Users|work|workspace|tmp|mnt|srv)\/|\b[A-Z]:\\{1,2}(?:Users|work)/g
const registryHost = /https?:\/\/[^\s"'/]*(?:registry|artifactory|nexus|verdaccio)[^\s"'/]*/g

/** Returns the paths of a machine and the hosts of package registries in a file. */
export function machineNamesIn(file: RepositoryFile): string[] {
  const at = (match: RegExpExecArray): string => `${file.path}:${lineAt(file, match.index)}`
  const paths = [...file.text.matchAll(machinePath)].map(
    (match) => `${at(match)} names ${match[0]}: build the path from import.meta.url or os.tmpdir()`,
  )
  const hosts = [...file.text.matchAll(registryHost)].map(
    (match) =>
      `${at(match)} names ${match[0]}: remove it, because each installation chooses its registry`,
  )
  return [...paths, ...hosts]
}

/** Returns why a JSON file does not parse; null if it does, or if it is not a JSON file. */
export function jsonFaultIn({ path, text }: RepositoryFile): string | null {
  if (!path.endsWith('.json')) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return `${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Returns the dependencies of package.json that are not pinned to one version. */
export function unpinnedIn(manifest: unknown): string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies']
    .flatMap((kind) => Object.entries(recordAt(manifest, kind)))
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))
    .map(([name, version]) => `${name} ${String(version)}`)
}

/** Returns the packages of a lock file that name their registry. */
export function resolvedIn(lock: unknown): string[] {
  return Object.entries(recordAt(lock, 'packages'))
    .filter(([, entry]) => 'resolved' in toRecord(entry))
    .map(([name]) => name)
}

/** Returns the packages that one in a lock file needs and that it lacks: `npm ci` refuses such a file. */
export function missingInLock(lock: unknown): string[] {
  const packages = recordAt(lock, 'packages')
  const isThere = (from: string, name: string): boolean => {
    const above = from.lastIndexOf('node_modules/')
    if (Object.hasOwn(packages, `${from}${from && '/'}node_modules/${name}`)) return true
    return above >= 0 && isThere(from.slice(0, Math.max(0, above - 1)), name)
  }
  return Object.entries(packages).flatMap(([path, entry]) =>
    ['dependencies', 'optionalDependencies']
      .flatMap((kind) => Object.keys(recordAt(entry, kind)))
      .filter((name) => !isThere(path, name)),
  )
}

/** Returns the object at a key of parsed JSON; empty if there is none. */
export function recordAt(json: unknown, key: string): Record<string, unknown> {
  return toRecord(toRecord(json)[key])
}

function toRecord(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

// Import cycles between folders. Folders in a cycle can only be understood or moved together. The
// folder of a file is the one that directly contains it, at any depth, so a folder and one inside
// it are two folders. Oxlint finds cycles between files.

/** An arrow from a folder to another, with all imports between them. */
export type Arrow = {
  readonly from: string
  readonly to: string
  /** `sim/run/a.ts:3 imports sim/world/b.ts` */
  readonly imports: readonly string[]
}

/**
 * Returns the arrows between folders, as `folderOf` names them. Imports of test code do not count:
 * tests may import any code, and no other code depends on them.
 */
export function arrowsOf(
  imports: readonly Import[],
  folderOf: (path: string) => string = (path) => posix.dirname(path),
): Arrow[] {
  const arrows = new Map<string, Arrow & { readonly imports: string[] }>()
  for (const each of imports) {
    const target = targetOf(each)
    if (target === null || isTestCode(each.from)) continue
    const [from, to] = [folderOf(each.from), folderOf(target)]
    if (from === to) continue
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, imports: [] }
    arrow.imports.push(`${each.place} imports ${target}`)
    arrows.set(`${from} ${to}`, arrow)
  }
  return [...arrows.values()]
}

/** Returns cycles: each is the list of arrows from a folder back to itself. */
export function cyclesIn<A extends Pick<Arrow, 'from' | 'to'>>(arrows: readonly A[]): A[][] {
  const cycles: A[][] = []
  const done = new Set<string>()
  const walk = (folder: string, path: readonly A[]): void => {
    const seenAt = path.findIndex(({ from }) => from === folder)
    if (seenAt !== -1) cycles.push(path.slice(seenAt))
    if (seenAt !== -1 || done.has(folder)) return
    for (const arrow of arrows) {
      if (arrow.from === folder) walk(arrow.to, [...path, arrow])
    }
    done.add(folder)
  }
  for (const { from } of arrows) walk(from, [])
  return cycles
}

/** Returns a cycle as text: its folders, and the first three imports of each arrow. */
export function cycleText(cycle: readonly Arrow[]): string {
  const folders = [...cycle.map(({ from }) => from), cycle[0]?.from].join(' -> ')
  const lines = cycle.flatMap(({ imports }) => imports.slice(0, 3)).map((line) => `\n  ${line}`)
  return `${folders}${lines.join('')}`
}
