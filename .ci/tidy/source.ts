/** Parsed TypeScript sources: their imports, exports and comments. */

import { parseSync, type Comment, type EcmaScriptModule } from 'oxc-parser'
import { repositoryFiles, type RepositoryFile } from './repository.ts'

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
export function isSource(path: string): boolean {
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
