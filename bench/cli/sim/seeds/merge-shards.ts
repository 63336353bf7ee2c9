/** Merges the results of `sim --seeds --shard`. */

import { resolve } from 'node:path'
import { holds, type CampaignDocument } from '../../../../sim/campaign/document.ts'
import { merged, refuseIncomplete, type NamedShard } from '../../../../sim/campaign/merge.ts'
import { readShards } from '../../../../sim/campaign/read-shards.ts'
import { campaignText } from './campaign-text.ts'
import { colorsFor, writeAll } from '../../../../sim/terminal/output.ts'
import { jsonOfAll } from './run-seeds.ts'
import { exitCodes, startFolder, type CliContext } from '../../../../sim/terminal/context.ts'
import { several } from '../../../../sim/terminal/text.ts'

/** Returns the exit code of the combined run. Throws `BadInput` for shards that do not fit. */
export async function mergeShards(
  files: readonly string[],
  json: boolean,
  context: CliContext,
): Promise<number> {
  const from = startFolder(context.env)
  const shards = files.flatMap((file) =>
    readShards(resolve(from, file), file).map((shard) => ({ file, shard })),
  )
  const documents = byScenario(shards).map((group) => {
    refuseIncomplete(group)
    return merged(group.map(({ shard }) => shard))
  })
  const texts = json
    ? [jsonOfAll(documents, documents.length)]
    : documents.map((document) => textOf(document, context))
  await writeAll(context.stdout, texts)
  return documents.every((each) => holds(each, false)) ? exitCodes.success : exitCodes.failure
}

/** Groups results by scenario, because a shard can have results of several scenarios. */
function byScenario(shards: readonly NamedShard[]): NamedShard[][] {
  const names = new Set(shards.map(({ shard }) => shard.scenario))
  return [...names].map((name) => shards.filter(({ shard }) => shard.scenario === name))
}

function textOf(document: CampaignDocument, { stdout, env }: CliContext): string {
  const ran = `seeds ${document.ran}   ${several(document.seeds, 'run')}`
  return campaignText(document, { isShard: false, ran, colors: colorsFor(stdout, env) })
}
