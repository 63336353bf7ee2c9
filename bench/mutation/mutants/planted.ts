/** Runs the operators over a text. */

import { parseSync, Visitor, type Span } from 'oxc-parser'
import { operators } from '../operators/index.ts'
import type { Change } from './mutant.ts'

export type Planted = { readonly operator: string; readonly change: Change }

/**
 * Returns what the operators plant in a source or in its compiled file, in the order of the
 * operators. Both texts have the same code, so the lists have the same length and order.
 */
export function planted(path: string, text: string): Planted[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  // The literals of types are not code.
  const types: Span[] = []
  new Visitor({ TSLiteralType: (node) => void types.push(node) }).visit(program)
  const found: Planted[] = []
  for (const { name, visitor } of operators) {
    const plant = ({ start, end }: Span, replacement: string): void => {
      if (types.some((type) => type.start <= start && end <= type.end)) return
      found.push({ operator: name, change: { start, end, text: replacement } })
    }
    const textOf = ({ start, end }: Span): string => text.slice(start, end)
    new Visitor(visitor({ textOf, plant })).visit(program)
  }
  return found
}
