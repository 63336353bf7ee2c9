/** `mergeyard sim merge`: combines the results of shards, of seeds and of checks. */

import { resolve } from 'node:path'
import { isAnswers } from '../../../sim/campaign/read-answers.ts'
import { commandOf, type Main } from '../../../sim/terminal/command.ts'
import { startFolder } from '../../../sim/terminal/context.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import { mergeParts, mergeTable, type CommandInParts } from '../parts/merge-parts.ts'
import { mergeShards } from './seeds/merge-shards.ts'

const usage: Usage<typeof mergeTable> = {
  command: 'sim merge',
  npm: 'npm run sim -- merge',
  about: `Combine the results of shards. The output is byte for byte that of one run.

  mergeyard sim --seeds 1000 --shard 1/2 --json > a.json
  mergeyard sim --seeds 1000 --shard 2/2 --json > b.json
  mergeyard sim merge a.json b.json

To run a scenario file with the name merge, write ./merge.`,
  operands: { name: 'result of a shard', least: 1, most: Infinity },
  table: mergeTable,
}

/** Returns the command. Parts of seeds have totals, which are added up; parts of checks have answers. */
export function mergeCommand<Table extends OptionTable>(sim: CommandInParts<Table>): Main {
  return commandOf(usage, (parsed, context) => {
    const [first = ''] = parsed.operands
    return isAnswers(resolve(startFolder(context.env), first), first)
      ? mergeParts(sim, parsed, context)
      : mergeShards(parsed.operands, parsed.flag('json'), context)
  })
}
