/**
 * The repository works anywhere: it names no path of a machine, no registry, no unpinned version.
 */

import { lineAt, type RepositoryFile } from './repository.ts'

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

/** Returns the object at a key of parsed JSON; empty if there is none. */
export function recordAt(json: unknown, key: string): Record<string, unknown> {
  return toRecord(toRecord(json)[key])
}

function toRecord(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}
