/** TypeScript sources, parsed once, for rules that look at what the code says, not how it looks. */

import { parseSync, Visitor, type Comment, type Program, type VisitorObject } from 'oxc-parser'
import type { RepositoryFile } from './repository.ts'

export type Source = RepositoryFile & {
  readonly program: Program
  readonly comments: readonly Comment[]
}

export function parse(file: RepositoryFile): Source {
  const { program, comments, errors } = parseSync(file.path, file.text)
  const [error] = errors
  if (error) throw new Error(`${file.path} does not parse: ${error.message}`)
  return { ...file, program, comments }
}

/** All TypeScript of the repository. */
export function sourcesOf(files: readonly RepositoryFile[]): Source[] {
  return files.filter(({ path }) => path.endsWith('.ts')).map(parse)
}

/** Visits every node of the source, parents before their children. */
export function visit(source: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(source.program)
}

/** Where a node begins, to be clicked on: `engine/engine.ts:12`. */
export function placeOf(file: RepositoryFile, node: { readonly start: number }): string {
  return `${file.path}:${lineAt(file, node.start)}`
}

/** The line, from 1, of a character. */
export function lineAt(file: RepositoryFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length
}

/** Tests and what only tests use: contract suites and everything in a folder named testing. */
export function isTestCode(path: string): boolean {
  return /\.(?:test|contract)\.ts$/.test(path) || path.includes('/testing/')
}
