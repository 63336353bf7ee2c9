/**
 * The packages of a commit, read from the mirror. `@manypkg/get-packages` reads a folder: it would need
 * three work trees for each pull request, where git needs some calls.
 */

import { posix } from 'node:path'
import type { Oid } from '../git/git.ts'
import { filesOf, textsOf } from '../git/tree-files.ts'
import type { Workspace } from './from-workspaces.ts'
import {
  folderFilter,
  packageOf,
  parseManifest,
  pnpmPatternsOf,
  workspacesOf,
  type Package,
} from './manifests.ts'

const manifestName = 'package.json'
const pnpmName = 'pnpm-workspace.yaml'

/** Null: there is no workspace, or something in it is not understood. */
export async function readWorkspace(repository: string, commit: Oid): Promise<Workspace> {
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
