/** Targets by the packages of a workspace: a package, and those that depend on it. */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { Package } from './manifests.ts'

/** The packages of a commit; null if they are not known. */
export type Workspace = readonly Package[] | null

/**
 * The package of each changed path, and its dependents. ALL for a path outside of the packages, for
 * packages that are not known, and for a package that has another folder or name in one of the trees.
 * A dependency counts if any of the trees has it: the change is tested on the tip, not where it began.
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
  return [...found].sort()
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
