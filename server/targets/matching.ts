/**
 * The targets of changed paths: by patterns, or by the packages of a workspace. Those of a commit are read from the
 * mirror: `@manypkg/get-packages` reads a folder, so it would need three work trees for each pull request, where git
 * needs some calls.
 */

import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { ImpactedTargets } from '../../engine/index.ts'
import { pathFilter } from '../files/path-filter.ts'
import type { Oid } from '../git/git.ts'
import { filesOf, textsOf } from '../git/objects.ts'

const manifestName = 'package.json'
const pnpmName = 'pnpm-workspace.yaml'

export type Patterns = Exclude<TargetsOptions, { readonly command: string }>

type Task = {
  readonly patterns: Patterns
  /** The bare repository that has the commits. */
  readonly repository: string
  readonly base: Oid
  readonly head: Oid
  readonly tip: Oid
  /** The paths that differ between base and head. */
  readonly changed: readonly string[]
}

export async function matched(task: Task): Promise<ImpactedTargets> {
  const { patterns, repository, base, head, tip, changed } = task
  if (changed.length === 0) return 'ALL'
  if ('paths' in patterns) return targetsOfPaths(patterns.paths, changed)
  const [before = null, after = null, last = null] = await Promise.all(
    [base, head, tip].map((commit) => workspaceOf(repository, commit)),
  )
  return targetsOfWorkspaces({ before, after, tip: last }, changed)
}

/** Null: there is no workspace, or something in it is not understood. */
async function workspaceOf(repository: string, commit: Oid): Promise<Workspace> {
  const files = await filesOf(repository, commit)
  const patterns = await patternsOf(repository, files)
  if (patterns === null) return null
  const isPackage = folderFilter(patterns)
  const found = [...files]
    .filter(([path]) => posix.basename(path) === manifestName)
    .map(([path, blob]) => ({ folder: posix.dirname(path), blob }))
    .filter(({ folder }) => folder !== '.' && isPackage(folder))
  const texts = await textsOf(
    repository,
    found.map(({ blob }) => blob),
  )
  const packages = found.map(({ folder }, index) => packageIn(texts[index] ?? '', folder))
  const known = packages.filter((each): each is Package => each !== null)
  return known.length === packages.length && known.length > 0 ? known : null
}

/** pnpm has a file of its own, which wins over the manifest. */
async function patternsOf(
  repository: string,
  files: ReadonlyMap<string, Oid>,
): Promise<string[] | null> {
  const name = files.has(pnpmName) ? pnpmName : manifestName
  const blob = files.get(name)
  if (blob === undefined) return null
  const [text] = await textsOf(repository, [blob])
  if (typeof text !== 'string') return null
  if (name === pnpmName) return pnpmPatternsOf(text)
  const manifest = parseManifest(text)
  return manifest && workspacesOf(manifest)
}

function packageIn(text: string, folder: string): Package | null {
  const manifest = parseManifest(text)
  return manifest && packageOf(manifest, folder)
}

/**
 * The targets whose patterns match a changed path. A path that no pattern matches may concern
 * everybody, so it gives ALL.
 */
export function targetsOfPaths(
  patterns: Readonly<Record<string, readonly string[]>>,
  changed: readonly string[],
): ImpactedTargets {
  const targets = Object.entries(patterns).map(([name, globs]) => ({
    name,
    matches: pathFilter(globs),
  }))
  const found = new Set<string>()
  for (const path of changed) {
    const matching = targets.filter(({ matches }) => matches(path))
    if (matching.length === 0) return 'ALL'
    for (const { name } of matching) found.add(name)
  }
  return [...found].sort()
}

/** The packages of a commit; null if they are not known. */
export type Workspace = readonly Package[] | null

/**
 * The package of each changed path, and its dependents. ALL for a path outside of the packages, for
 * packages that are not known, and for a package that has another folder or name in one of the trees.
 * A dependency counts if any of the trees has it: the change is tested on the tip, not where it began.
 * So does a package on which the change lets another one depend: who changes that package meanwhile does not know it.
 */
export function targetsOfWorkspaces(
  { before, after, tip }: { before: Workspace; after: Workspace; tip: Workspace },
  changed: readonly string[],
): ImpactedTargets {
  if (!before || !after || !tip) return 'ALL'
  if (isMoved(before, after) || isMoved(before, tip) || isMoved(after, tip)) return 'ALL'
  const packages = [...before, ...after, ...tip]
  const found = new Set<string>()
  for (const path of changed) {
    const owner = ownerOf(packages, path)
    if (owner === null) return 'ALL'
    found.add(owner)
  }
  for (const name of found) {
    for (const each of packages) if (each.dependencies.includes(name)) found.add(each.name)
  }
  for (const name of newlyNeeded(before, after)) found.add(name)
  return [...found].sort()
}

/** The packages of the workspace on which one depends after the change and not before. */
function newlyNeeded(before: readonly Package[], after: readonly Package[]): string[] {
  const known = new Map(before.map(({ name, dependencies }) => [name, dependencies]))
  const own = new Set(after.map(({ name }) => name))
  return after.flatMap(({ name, dependencies }) =>
    dependencies.filter((each) => own.has(each) && known.get(name)?.includes(each) !== true),
  )
}

/** A package that is new or gone is no move: its paths name it, and so do its dependents. */
function isMoved(from: readonly Package[], to: readonly Package[]): boolean {
  const folders = new Map(to.map(({ name, folder }) => [name, folder]))
  const isElsewhere = ({ name, folder }: Package): boolean =>
    folders.has(name) && folders.get(name) !== folder
  const names = new Map(to.map(({ name, folder }) => [folder, name]))
  const isRenamed = ({ name, folder }: Package): boolean =>
    names.has(folder) && names.get(folder) !== name
  return from.some((each) => isElsewhere(each) || isRenamed(each))
}

/** The package in the innermost folder; null: the path belongs to the root. */
function ownerOf(packages: readonly Package[], path: string): string | null {
  const around = packages.filter(({ folder }) => path.startsWith(`${folder}/`))
  const [inner] = around.sort((a, b) => b.folder.length - a.folder.length)
  return inner?.name ?? null
}

/** Where the impacted targets of a pull request come from, as `mergeyard.json` says it. */
export type TargetsOptions =
  /** The packages of an npm, pnpm or yarn workspace. */
  | { readonly workspaces: true }
  /** Patterns of paths for each target. */
  | { readonly paths: Readonly<Record<string, readonly string[]>> }
  /** A command for `/bin/sh`, run in a work tree of the head. It prints the names. */
  | { readonly command: string }

// What the files of a workspace say about its packages.

export type Package = {
  readonly name: string
  /** Without a slash at the end. */
  readonly folder: string
  /** Names of packages, of the workspace or not. */
  readonly dependencies: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

const dependencyFields = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
]

/** Null: it is no JSON object. */
export function parseManifest(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** Null: it has no name, or a dependency that is a path, of which the name is not known. */
export function packageOf(manifest: Fields, folder: string): Package | null {
  const { name } = manifest
  if (typeof name !== 'string' || name === '') return null
  const entries = dependencyFields.flatMap((field) =>
    Object.entries(fieldsOf(manifest[field]) ?? {}),
  )
  if (entries.some(([, version]) => isPath(version))) return null
  return { name, folder, dependencies: entries.flatMap(([key, version]) => [key, alias(version)]) }
}

function isPath(version: unknown): boolean {
  return (
    typeof version === 'string' && /^(?:file:|link:|portal:|(?:workspace:)?[./~]+\/)/.test(version)
  )
}

/** `workspace:other@*` and `npm:other@1` name another package than the key. */
function alias(version: unknown): string {
  const match = /^(?:workspace|npm):(@?[^@]+)@/.exec(typeof version === 'string' ? version : '')
  return match?.[1] ?? ''
}

/** The patterns of npm and yarn; null if there are none. */
export function workspacesOf(manifest: Fields): string[] | null {
  const { workspaces } = manifest
  const list = Array.isArray(workspaces) ? workspaces : fieldsOf(workspaces)?.['packages']
  return stringsOf(list)
}

/**
 * The patterns of `pnpm-workspace.yaml`, of which only the usual form is read: the list `packages`, one
 * item a line. Null for any other form, because a package that is overlooked is a wrong target.
 */
export function pnpmPatternsOf(text: string): string[] | null {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line))
  const start = lines.findIndex((line) => /^packages:\s*(?:#.*)?$/.test(line))
  if (start < 0) return null
  const after = lines.slice(start + 1)
  const end = after.findIndex((line) => /^[^\s-]/.test(line))
  const items = end < 0 ? after : after.slice(0, end)
  const patterns = items.map((line) => {
    const match = /^\s*-\s+(?:'([^']*)'|"([^"\\]*)"|([^\s'"#&*!|>{[][^\s#]*))\s*(?:#.*)?$/.exec(
      line,
    )
    return match?.[1] ?? match?.[2] ?? match?.[3] ?? null
  })
  return stringsOf(patterns)
}

/** True for the folders of packages. `!` takes folders out. */
export function folderFilter(patterns: readonly string[]): (folder: string) => boolean {
  const plain = (pattern: string): string => pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(plain)
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!'))
  return picomatch(wanted, { ignore: unwanted.map((pattern) => plain(pattern.slice(1))) })
}

function stringsOf(list: unknown): string[] | null {
  if (!Array.isArray(list) || list.length === 0) return null
  const strings = list.filter((each): each is string => typeof each === 'string' && each !== '')
  return strings.length === list.length ? strings : null
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
