/** Writes the result document in pieces, because all of it may not fit into memory. */

import type { ListsProjection } from './lists.ts'
import type { Figures, ResultDocument } from './result-document.ts'

/** The contents of the document. */
export type RunResult = Pick<ResultDocument, 'properties' | 'expectations'> & {
  readonly figures: Figures
  readonly lists: ListsProjection
}

/** Yields the document as JSON, with its fields in order and a line for each item of a list. */
export function* resultTexts({ figures, lists, ...judged }: RunResult): Generator<string> {
  const { scenario, seed, traceHash, endedAtMinutes, ...measured } = figures
  const head = { scenario, seed, traceHash, endedAtMinutes }
  yield `{\n${fieldsOf(head)},\n"mergeOrder": `
  yield* listTexts(numberTexts(lists.mergeOrder))
  yield ',\n"pullRequests": '
  yield* listTexts(itemTexts(lists.pullRequests.results()))
  yield ',\n"testRuns": '
  yield* listTexts(lists.testRuns.texts())
  const { properties, expectations } = judged
  yield `,\n${fieldsOf({ ...measured, properties, expectations })}\n}\n`
}

/** Returns the whole document as a value. */
export function resultDocument(result: RunResult): ResultDocument {
  const document: ResultDocument = JSON.parse([...resultTexts(result)].join(''))
  return document
}

function fieldsOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

function* listTexts(texts: Iterable<string>): Generator<string> {
  yield '[\n'
  for (const text of texts) yield text
  yield '\n]'
}

function* itemTexts(items: Iterable<object>): Generator<string> {
  let isFirst = true
  for (const item of items) {
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(item)}`
    isFirst = false
  }
}

/** Lists of numbers have this many to a line. */
const numbersPerLine = 20

function* numberTexts(numbers: readonly number[]): Generator<string> {
  for (let from = 0; from < numbers.length; from += numbersPerLine) {
    const line = numbers.slice(from, from + numbersPerLine).join(', ')
    yield from === 0 ? line : `,\n${line}`
  }
}
