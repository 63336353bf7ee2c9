/** Finds all mutants of a compiled file. */

import { SourceMap, type SourceMapPayload } from 'node:module'
import { parseSync, Visitor } from 'oxc-parser'
import { operators } from '../operators/index.ts'
import type { Change, Mutant } from './mutant.ts'

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
  const { program, errors } = parseSync(`${file}.js`, compiled)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const place = placesOf(compiled, map)
  const lines = source.split('\n')
  const seen = new Set<string>()
  const mutants: Mutant[] = []
  for (const { name, visitor } of operators) {
    const plant = ({ start, end }: Pick<Change, 'start' | 'end'>, text: string): void => {
      const change = { start, end, text }
      // Two operators may make the same change.
      if (seen.has(JSON.stringify(change))) return
      seen.add(JSON.stringify(change))
      const { line, column } = place(start)
      mutants.push({
        file,
        line,
        column,
        code: (lines[line - 1] ?? '').trim(),
        operator: name,
        from: oneLine(compiled.slice(start, end)),
        to: oneLine(text),
        change,
      })
    }
    const textOf = ({ start, end }: Pick<Change, 'start' | 'end'>): string =>
      compiled.slice(start, end)
    new Visitor(visitor({ textOf, plant })).visit(program)
  }
  return mutants
}

type Place = { readonly line: number; readonly column: number }

/** Returns a function that finds the place in the source for an offset in the compiled file. */
function placesOf(compiled: string, map: string): (offset: number) => Place {
  const payload: SourceMapPayload = JSON.parse(map)
  const sourceMap = new SourceMap(payload)
  return (offset) => {
    const before = compiled.slice(0, offset).split('\n')
    const entry = sourceMap.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
    return 'originalLine' in entry
      ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
      : { line: before.length, column: 1 }
  }
}

const longest = 100

/** Long texts are cut, because a reader needs only their beginning. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= longest ? line : `${line.slice(0, longest)}…`
}
