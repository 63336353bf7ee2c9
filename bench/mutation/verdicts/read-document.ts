/** Reads the documents of earlier runs, to merge or to continue them. */

import { BadInput, shown } from '../../../sim/scenario/bad-input.ts'
import { parseJson } from '../../../sim/scenario/json-text.ts'
import { readBytes } from '../../../sim/scenario/load.ts'
import { documentVersion, type MutantsDocument } from './document.ts'

/** Reads the document `path`; errors call it `name`. Throws `BadInput` if it is another file. */
export function readDocument(path: string, name: string): MutantsDocument {
  const document = parseJson(readBytes(path, name), name)
  if (isDocument(document)) return document
  const expected = 'a document that npm run mutants wrote'
  throw new BadInput(name, [{ where: '/mutants', expected, actual: shown(document) }])
}

// The version stands for the whole format, because only this command writes it.
function isDocument(document: unknown): document is MutantsDocument {
  return (
    typeof document === 'object' &&
    document !== null &&
    'mutants' in document &&
    document.mutants === documentVersion &&
    'judged' in document &&
    Array.isArray(document.judged)
  )
}
