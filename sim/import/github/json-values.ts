/**
 * The values of a JSON text. `gh api --paginate` writes one value for each page: one after the other, or
 * with `--slurp` in one list.
 */

import { parseJson } from '../../scenario/json-text.ts'

/** Returns the values of the text in order. Throws `BadInput` with line and column. */
export function jsonValues(text: string, source: string): unknown[] {
  const plain = text.replace(/^\ufeff/, '')
  return plain.trim() === '' ? [parseJson(plain, source)] : [...parts(plain)].map(valueOf)

  function valueOf({ from, to, line }: Part): unknown {
    const part = plain.slice(from, to)
    try {
      const value: unknown = JSON.parse(part)
      return value
    } catch {
      // Finds the place, and throws. The empty lines keep the number of the line.
      return parseJson('\n'.repeat(line) + part, source)
    }
  }
}

type Part = { readonly from: number; readonly to: number; readonly line: number }

/** Yields where each object or list at the top begins and ends. The last may be incomplete. */
function* parts(text: string): Generator<Part> {
  let [from, depth, line, lineOfPart] = [0, 0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '\n') line += 1
    else if (sign === '"') at = endOfText(text, at)
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth > 0) continue
      const next = /\S/.exec(text.slice(at + 1))?.[0]
      if (next !== '{' && next !== '[') continue
      yield { from, to: at + 1, line: lineOfPart }
      from = at + 1
      lineOfPart = line
    }
  }
  yield { from, to: text.length, line: lineOfPart }
}

/** The index of the quote that ends the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
