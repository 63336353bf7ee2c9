/** What the steps of a download share. */

import { trim, type Items, type SchemaName } from '../../../../../sim/import/github/schemas.ts'
import { BadInput, shown } from '../../../../../terminal/bad-input.ts'
import type { HistoryApi } from './history-api.ts'
import type { HistoryFolder, Wanted } from './history-folder.ts'

export type Download = {
  readonly api: HistoryApi
  readonly folder: HistoryFolder
  readonly wanted: Wanted
  /** The label of the team that submits pull requests, if it has one. */
  readonly queueLabel: string | null
  /** Says what is downloaded now, and how much of it is done. */
  readonly show: (words: string) => void
}

/** What is read of an object of GitHub's. Throws `BadInput` if it is none. */
export function trimmed<Name extends SchemaName>(schema: Name, value: unknown): Items[Name] {
  if (trim(schema, value)) return value
  const expected = `an object as GitHub's API describes it (${schema})`
  throw new BadInput('GitHub', [{ where: '', expected, actual: shown(value) }])
}
