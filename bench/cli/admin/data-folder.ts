/** Options of the commands that work on a data folder. The server may be running or stopped. */

import { resolve } from 'node:path'
import { dataFolder, type DataFolder } from '../../../server/store/data-folder.ts'
import { startFolder } from '../../../sim/terminal/context.ts'
import type { OptionTable } from '../../../sim/terminal/option-table.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'

export const dataOption = {
  data: {
    kind: 'value',
    value: 'folder',
    help: 'data folder of the server',
    default: './data',
    variable: 'MERGEYARD_DATA',
  },
} as const satisfies OptionTable

export const jsonOption = {
  json: { kind: 'flag', help: 'print JSON' },
} as const satisfies OptionTable

export function folderOf(parsed: Pick<ParsedOptions<typeof dataOption>, 'value'>): DataFolder {
  return dataFolder(resolve(parsed.value('data')))
}

/** The operands as paths, relative to the folder in which the command was typed. */
export function pathsOf(
  { operands }: Pick<ParsedOptions<OptionTable>, 'operands'>,
  env: NodeJS.ProcessEnv,
): string[] {
  return operands.map((each) => resolve(startFolder(env), each))
}
