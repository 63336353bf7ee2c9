/** The repository is at home anywhere: it names no machine, no registry, no unpinned version. */

import { lineAt } from './source.ts'
import type { RepositoryFile } from './repository.ts'

const machinePath =
  /(?<![\w.:/~-])\/(?:home|root|Users|work|workspace|tmp|mnt|srv)\/|\b[A-Z]:\\{1,2}(?:Users|work)/g
const registryHost = /https?:\/\/[^\s"'/]*(?:registry|artifactory|nexus|verdaccio)[^\s"'/]*/g

/** Paths of one machine and hosts of package registries. */
export function placesNamedIn(file: RepositoryFile): string[] {
  const at = (match: RegExpExecArray): string => `${file.path}:${lineAt(file, match.index)}`
  const paths = [...file.text.matchAll(machinePath)].map(
    (match) => `${at(match)} names ${match[0]}: build the path from import.meta.url or os.tmpdir()`,
  )
  const hosts = [...file.text.matchAll(registryHost)].map(
    (match) => `${at(match)} names ${match[0]}: leave the registry to whoever installs`,
  )
  return [...paths, ...hosts]
}

/** Why a JSON file does not parse; null when it does, or is none. */
export function jsonFaultIn({ path, text }: RepositoryFile): string | null {
  if (!path.endsWith('.json')) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return `${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Dependencies of package.json that are not pinned to one version. */
export function unpinnedIn(manifest: unknown): string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies']
    .flatMap((kind) => Object.entries(recordAt(manifest, kind)))
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))
    .map(([name, version]) => `${name} ${String(version)}`)
}

/** Locked packages that remember which registry they came from. */
export function resolvedIn(lock: unknown): string[] {
  return Object.entries(recordAt(lock, 'packages'))
    .filter(([, entry]) => 'resolved' in toRecord(entry))
    .map(([name]) => name)
}

/** The object at a key of parsed JSON; empty where there is none. */
export function recordAt(json: unknown, key: string): Record<string, unknown> {
  return toRecord(toRecord(json)[key])
}

function toRecord(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}
