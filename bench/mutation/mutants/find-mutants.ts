/** Finds all mutants of a compiled file. */

import { SourceMap, type SourceMapPayload } from 'node:module'
import type { Change, Mutant } from './mutant.ts'
import { planted } from './planted.ts'

export type CompiledFile = {
  /** The path of its TypeScript source. */
  readonly file: string
  readonly compiled: string
  /** The text of its source map. */
  readonly map: string
  readonly source: string
}

/** Returns the mutants of a file, in the order of the operators. */
export function mutantsOf({ file, compiled, map, source }: CompiledFile): Mutant[] {
  const inSource = planted(file, source)
  const inCompiled = planted(`${file}.js`, compiled)
  if (inSource.length !== inCompiled.length) {
    throw new Error(`${file} was compiled from another source; build again`)
  }
  const place = placesOf(compiled, map)
  const lines = source.split('\n')
  const seen = new Set<string>()
  return inCompiled.flatMap(({ operator, change }, index) => {
    const same = inSource[index]
    // Two operators may make the same change.
    if (!same || seen.has(JSON.stringify(change))) return []
    seen.add(JSON.stringify(change))
    const { line, column } = place(change.start)
    return {
      file,
      line,
      column,
      code: (lines[line - 1] ?? '').trim(),
      operator,
      from: oneLine(compiled.slice(change.start, change.end)),
      to: oneLine(change.text),
      change,
      changeInSource: checkable(operator, same.change),
    }
  })
}

/**
 * The type checker takes the branch behind `false` for unreachable, and refuses almost any code there.
 * So it must not know the value of a condition.
 */
function checkable(operator: string, change: Change): Change {
  return operator === 'condition' ? { ...change, text: `(${change.text} as boolean)` } : change
}

type Place = { readonly line: number; readonly column: number }

/** Returns a function that finds the place in the source for an offset in the compiled file. */
function placesOf(compiled: string, map: string): (offset: number) => Place {
  const payload: SourceMapPayload = JSON.parse(map)
  const sourceMap = new SourceMap(payload)
  const starts = [0]
  for (let end = compiled.indexOf('\n'); end !== -1; end = compiled.indexOf('\n', end + 1)) {
    starts.push(end + 1)
  }
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    const entry = sourceMap.findEntry(line, offset - (starts[line] ?? 0))
    return 'originalLine' in entry
      ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      : { line: line + 1, column: 1 }
  }
}

const longest = 100

/** Long texts are cut, because a reader needs only their beginning. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= longest ? line : `${line.slice(0, longest)}…`
}
