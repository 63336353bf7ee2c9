/** What the files of a workspace say about its packages. */

import picomatch from 'picomatch'

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
  const isIn = picomatch(wanted)
  const isOut = picomatch(unwanted.map((pattern) => plain(pattern.slice(1))))
  return (folder) => isIn(folder) && !(unwanted.length > 0 && isOut(folder))
}

function stringsOf(list: unknown): string[] | null {
  if (!Array.isArray(list) || list.length === 0) return null
  const strings = list.filter((each): each is string => typeof each === 'string' && each !== '')
  return strings.length === list.length ? strings : null
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
