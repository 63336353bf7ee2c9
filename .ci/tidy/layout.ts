/**
 * The top level is the table of contents: six folders, each with a README, and what tools insist
 * on finding there.
 */

import type { RepositoryFile } from './repository.ts'

const folders = ['engine', 'server', 'sim', 'scenarios', 'bench', 'reports']

const expected = new Set([
  ...folders,
  'README.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.ci',
  '.gitattributes',
  '.gitignore',
  // Tools look for these here, and nowhere else.
  '.c8rc.json',
  '.oxlintrc.jsonc',
  '.prettierrc.json',
  'knip.jsonc',
  'vitest.config.ts',
])

/** What lies at the top level and should not. */
export function strayEntries(entries: readonly string[]): string[] {
  return entries.filter((entry) => !expected.has(entry))
}

/** READMEs that are missing: the top level has one, and each of its folders. */
export function missingReadmes(files: readonly RepositoryFile[]): string[] {
  const paths = files.map(({ path }) => path)
  const present = folders.filter((folder) => paths.some((path) => path.startsWith(`${folder}/`)))
  return ['README.md', ...present.map((folder) => `${folder}/README.md`)].filter(
    (readme) => !paths.includes(readme),
  )
}

/** Tests that would never run, since tests run from dist/ and these are not compiled to there. */
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

/** Compiled tests whose source is gone. */
export function staleTests(
  files: readonly RepositoryFile[],
  compiled: readonly string[],
): string[] {
  const sources = new Set(files.map(({ path }) => path.replace(/\.ts$/, '.js')))
  return compiled.filter((path) => path.endsWith('.test.js') && !sources.has(path))
}
