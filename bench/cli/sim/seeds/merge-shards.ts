/** `mergeyard sim merge`: combines the results of shards. */

import { resolve } from 'node:path'
import {
  holds,
  type CampaignDocument,
  type ShardDocument,
} from '../../../../sim/campaign/document.ts'
import { merged, mismatchOf } from '../../../../sim/campaign/merge.ts'
import { readShards } from '../../../../sim/campaign/read-shards.ts'
import { BadInput } from '../../../../sim/scenario/bad-input.ts'
import { campaignText } from './campaign-text.ts'
import { commandOf } from '../../../../sim/terminal/command.ts'
import type { OptionTable, Usage } from '../../../../sim/terminal/option-table.ts'
import { colorsFor, writeAll } from '../../../../sim/terminal/output.ts'
import { jsonOfAll } from './run-seeds.ts'
import { exitCodes, startFolder, type CliContext } from '../../../../sim/terminal/context.ts'
import { several } from '../../../../sim/terminal/text.ts'

const table = {
  json: { kind: 'flag', help: 'print only the result document, as JSON, to standard output' },
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'sim merge',
  npm: 'npm run sim -- merge',
  about: `Combine the results of shards. The output is byte for byte that of one run.

  mergeyard sim --seeds 1000 --shard 1/2 --json > a.json
  mergeyard sim --seeds 1000 --shard 2/2 --json > b.json
  mergeyard sim merge a.json b.json

To run a scenario file with the name merge, write ./merge.`,
  operands: { name: 'result of a shard', least: 1, most: Infinity },
  table,
}

/** Returns the exit code of the combined run. Throws `BadInput` for shards of different campaigns. */
export const mergeShards = commandOf(usage, async (parsed, context) => {
  const from = startFolder(context.env)
  const shards = parsed.operands.flatMap((file) => readShards(resolve(from, file), file))
  const documents = byScenario(shards).map(mergedOrThrow)
  if (parsed.flag('json')) await writeAll(context.stdout, [jsonOfAll(documents, documents.length)])
  else
    await writeAll(
      context.stdout,
      documents.map((document) => textOf(document, context)),
    )
  return documents.every((each) => holds(each, false)) ? exitCodes.success : exitCodes.failure
})

/** Groups results by scenario, because a shard can have results of several scenarios. */
function byScenario(shards: readonly ShardDocument[]): ShardDocument[][] {
  const names = new Set(shards.map(({ scenario }) => scenario))
  return [...names].map((name) => shards.filter(({ scenario }) => scenario === name))
}

function mergedOrThrow(shards: readonly ShardDocument[]): CampaignDocument {
  const mismatch = mismatchOf(shards)
  if (mismatch) throw new BadInput('merge', [{ where: shards[0]?.scenario ?? '', ...mismatch }])
  return merged(shards)
}

function textOf(document: CampaignDocument, { stdout, env }: CliContext): string {
  const ran = `seeds ${document.ran}   ${several(document.seeds, 'run')}`
  return campaignText(document, { isShard: false, ran, colors: colorsFor(stdout, env) })
}
