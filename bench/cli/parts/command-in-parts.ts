/** A command that has `--shard` and `merge`: the whole of it, a part, or what parts give together. */

import { commandOf, type Main } from '../../../sim/terminal/command.ts'
import type { OptionEntry, OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import { shardOf } from '../../../sim/terminal/read-values.ts'
import { campaignArguments } from './campaign-arguments.ts'
import { mergeParts, mergeTable, type CommandInParts } from './merge-parts.ts'
import { runPart } from './run-part.ts'
import { spreadOver, type spreadTable } from './spread-over.ts'

/** The options that the table of such a command must have. */
type TableInParts = OptionTable &
  Readonly<Record<keyof typeof spreadTable | keyof typeof mergeTable, OptionEntry>>

export function commandInParts<Table extends TableInParts>(command: CommandInParts<Table>): Main {
  const { usage, run } = command
  const whole = commandOf(usage, (parsed, context) => {
    const text = parsed.text('shard')
    if (text === null || parsed.isGiven('over')) {
      return spreadOver(parsed, usage.command, context, (where) => run(parsed, context, where))
    }
    const part = {
      name: usage.command,
      shard: shardOf(text, (expected) => parsed.fault('shard', expected)),
      campaign: [usage.command, ...campaignArguments(usage.table, parsed)],
      json: parsed.flag('json'),
      report: parsed.text('report'),
      writesFiles: !parsed.flag('no-report'),
    }
    return runPart(part, (quiet, spreading) => run(parsed, quiet, spreading), context)
  })
  const merge = commandOf(mergeUsage(usage), (parsed, context) =>
    mergeParts(command, parsed, context),
  )
  return ([first, ...rest], context) =>
    first === 'merge'
      ? merge(rest, context)
      : whole(first === undefined ? [] : [first, ...rest], context)
}

function mergeUsage({ command, npm }: Usage): Usage<typeof mergeTable> {
  return {
    command: `${command} merge`,
    npm: `${npm} merge`,
    about: `Combine the parts of --shard 1/n to n/n. The output is byte for byte that of one run.

To run a scenario file with the name merge, write ./merge.`,
    operands: { name: 'part', least: 1, most: Infinity },
    table: mergeTable,
  }
}
