/**
 * The targets of changed paths: by patterns, or by the packages of a workspace. Those of a commit are read from the
 * mirror: `@manypkg/get-packages` reads a folder, so it would need three work trees for each pull request, where git
 * needs some calls.
 */

import { posix } from 'node:path'
import type { ImpactedTargets } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { filesOf, textsOf } from '../git/tree-files.ts'
import { targetsOfPaths } from './from-paths.ts'
import { targetsOfWorkspaces, type Workspace } from './from-workspaces.ts'
import {
  folderFilter,
  packageOf,
  parseManifest,
  pnpmPatternsOf,
  workspacesOf,
  type Package,
} from './manifests.ts'
import type { TargetsOptions } from './options.ts'

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
