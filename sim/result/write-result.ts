/** The result document, and how it is written: in pieces, because one text may be too long for a string. */

import type { Figures, Lists, ResultDocument } from './result-document.ts'

/** The contents of the document. */
export type RunResult = Pick<ResultDocument, 'properties' | 'expectations'> & {
  readonly figures: Figures
  readonly lists: Lists
}

/** Returns the whole document as a value, with its fields in order. */
export function resultDocument({ figures, lists, ...judged }: RunResult): ResultDocument {
  const { scenario, seed, traceHash, endedAtMinutes, ...measured } = figures
  const { properties, expectations } = judged
  const head = { scenario, seed, traceHash, endedAtMinutes }
  return { ...head, ...lists, ...measured, properties, expectations }
}

/** Yields the document as JSON, with a line for each item of a list. */
export function* resultTexts(result: RunResult): Generator<string> {
  let before = '{\n'
  for (const [name, value] of Object.entries(resultDocument(result))) {
    yield `${before}"${name}": `
    if (name in result.lists && Array.isArray(value)) yield* listTexts(value)
    else yield JSON.stringify(value)
    before = ',\n'
  }
  yield '\n}\n'
}

/** Lists of numbers have this many to a line. */
const numbersPerLine = 20

function* listTexts(items: readonly unknown[]): Generator<string> {
  yield '[\n'
  for (const [index, item] of items.entries()) {
    const isInLine = typeof item === 'number' && index % numbersPerLine > 0
    const before = index === 0 ? '' : isInLine ? ', ' : ',\n'
    yield before + JSON.stringify(item)
  }
  yield '\n]'
}
