/** The command line of a campaign, as its parts name it. */

import type { OptionTable } from '../../../sim/terminal/option-table.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'

/** Options that say where and how the result goes, and nothing about the result. */
const aboutOutput: ReadonlySet<string> = new Set(['shard', 'over', 'json', 'report', 'no-report'])

/** Returns the options and operands of a campaign in one order, without those about its output. */
export function campaignArguments<Table extends OptionTable>(
  table: Table,
  { operands, flag, text, list, isGiven }: ParsedOptions<Table>,
): string[] {
  const names: (keyof Table & string)[] = Object.keys(table)
  const options = names.flatMap((name) => {
    if (aboutOutput.has(name) || !isGiven(name)) return []
    const kind = table[name]?.kind
    if (kind === 'flag') return flag(name) ? [`--${name}`] : []
    const values = kind === 'list' ? list(name) : [text(name) ?? '']
    return values.map((value) => `--${name}=${value}`)
  })
  return [...options, ...operands]
}
