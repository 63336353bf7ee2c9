/**
 * Small rooms: a file holds one concept, a function fits a screen. A file may be large where
 * cutting it would scatter what belongs together, and says so.
 */

import type { RepositoryFile } from './repository.ts'
import { lineAt, placeOf, visit, type Source } from './source.ts'

/** Above `roomy` lines a file gives its reason in this table; above `full` it is split. */
const roomy = 250
const full = 400
const longestFunction = 70

const reasons: Readonly<Record<string, string>> = {
  'engine/protocol/events.ts':
    'one union, all that can ever be said about a queue; its readers want it on one page',
  'sim/properties/testing/wrong-lanes.ts': 'one table, a row or two for each property',
  'server/wire.ts': 'generated whole from server/openapi.json',
}

const isCode = ({ path }: RepositoryFile): boolean => /\.(?:ts|mjs|sh)$|^\.ci\/run$/.test(path)

/** Files that are too large, with what to do. */
export function largeFiles(
  files: readonly RepositoryFile[],
  allowed: Readonly<Record<string, string>> = reasons,
): string[] {
  return files.filter(isCode).flatMap((file) => {
    const lines = linesOf(file)
    const hasReason = Object.hasOwn(allowed, file.path)
    if (lines > full) return [`${file.path} has ${lines} lines, at most ${full} fit: split it`]
    if (lines > roomy && !hasReason) {
      return [`${file.path} has ${lines} lines: split it, or say in .ci/tidy/sizes.ts why not`]
    }
    if (lines <= roomy && hasReason) {
      return [`${file.path} is down to ${lines} lines: its reason in .ci/tidy/sizes.ts can go`]
    }
    return []
  })
}

/** Reasons given for files that are not there. */
export function idleReasons(
  files: readonly RepositoryFile[],
  allowed: Readonly<Record<string, string>> = reasons,
): string[] {
  const paths = new Set(files.map(({ path }) => path))
  return Object.keys(allowed).filter((path) => !paths.has(path))
}

/**
 * Functions that are too long. One that holds others is measured without them: a group of tests,
 * or a property that keeps its books in functions of its own, is read a part at a time.
 */
export function longFunctions(source: Source): string[] {
  const faults: string[] = []
  /** Lines of the functions inside, for each function that is open. */
  const open: { inside: number }[] = []
  const enter = (): void => void open.push({ inside: 0 })
  const leave = (node: { readonly start: number; readonly end: number }): void => {
    const lines = lineAt(source, node.end) - lineAt(source, node.start) + 1
    const own = lines - (open.pop()?.inside ?? 0)
    const around = open.at(-1)
    if (around) around.inside += lines - 1
    if (own <= longestFunction) return
    faults.push(
      `${placeOf(source, node)} begins a function of ${own} lines: split it, ${longestFunction} fit`,
    )
  }
  visit(source, {
    ArrowFunctionExpression: enter,
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
  })
  return faults
}

function linesOf({ text }: RepositoryFile): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
