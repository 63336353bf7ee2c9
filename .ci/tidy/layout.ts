/**
 * The top level is a table of contents: six folders, each with a README, and the files that tools
 * require there. Within a folder, the rooms are the table of contents.
 */

import type { RepositoryFile } from './repository.ts'
import { isTestCode } from './source.ts'

const folders = ['engine', 'server', 'sim', 'scenarios', 'bench', 'reports']

/** The maximum number of sources of a folder outside of its rooms. */
const mostLooseFiles = 30

const expected = new Set([
  ...folders,
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.ci',
  '.gitattributes',
  '.github',
  '.gitignore',
  // Tools look for these files only at the top level.
  '.c8rc.json',
  '.oxlintrc.jsonc',
  '.oxfmtrc.jsonc',
  'knip.jsonc',
  'vitest.config.ts',
])

/** Returns unexpected entries of the top level. */
export function strayEntries(entries: readonly string[]): string[] {
  return entries.filter((entry) => !expected.has(entry))
}

/** Returns missing READMEs: the top level and each of its folders need one. */
export function missingReadmes(files: readonly RepositoryFile[]): string[] {
  const paths = files.map(({ path }) => path)
  const present = folders.filter((folder) => paths.some((path) => path.startsWith(`${folder}/`)))
  return ['README.md', ...present.map((folder) => `${folder}/README.md`)].filter(
    (readme) => !paths.includes(readme),
  )
}

/** Returns folders with too many sources outside of rooms. Tests do not count. */
export function crowdedFolders(files: readonly RepositoryFile[]): string[] {
  return folders.flatMap((folder) => {
    const loose = files
      .map(({ path }) => path)
      .filter((path) => new RegExp(`^${folder}/[^/]+\\.ts$`).test(path) && !isTestCode(path))
    if (loose.length <= mostLooseFiles) return []
    return [
      `${folder}/ has ${loose.length} sources outside of rooms, at most ${mostLooseFiles} are allowed`,
    ]
  })
}

/** Returns how many lines the sources below a path have, as `wc -l` counts. Tests do not count. */
export function linesOf(files: readonly RepositoryFile[], below: string): number {
  const sources = files.filter(({ path }) => path.startsWith(below) && !isTestCode(path))
  return sources.flatMap(({ text }) => text.split('\n').slice(1)).length
}

/** Returns tests that never run: tests run from dist/, and these are not compiled. */
export function uncompiledTests(
  files: readonly RepositoryFile[],
  compiled: readonly string[],
): string[] {
  const runnable = new Set(compiled)
  return files
    .map(({ path }) => path)
    .filter((path) => /\.test\.\w+$/.test(path))
    .filter((path) => !path.endsWith('.ts') || !runnable.has(path.replace(/\.ts$/, '.js')))
}

/** Returns compiled tests without a source. */
export function staleTests(
  files: readonly RepositoryFile[],
  compiled: readonly string[],
): string[] {
  const sources = new Set(files.map(({ path }) => path.replace(/\.ts$/, '.js')))
  return compiled.filter((path) => path.endsWith('.test.js') && !sources.has(path))
}
