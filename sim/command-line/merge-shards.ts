/** `merge a.json b.json`: the results of shards, put together as if they had been one run. */

import { resolve } from 'node:path'
import { holds, type CampaignDocument, type ShardDocument } from '../campaign/document.ts'
import { merged, misfitOf } from '../campaign/merge.ts'
import { readShards } from '../campaign/read-shards.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { campaignTelling } from './campaign-telling.ts'
import { mergeHelp } from './help.ts'
import { readOptions } from './options.ts'
import { colorsFor, writeAll } from './output.ts'
import { jsonOfAll } from './run-seeds.ts'
import { exitCodes, startFolder, type Surroundings } from './surroundings.ts'
import { several } from './text.ts'
import { usageFault } from './usage.ts'

/** Answers the exit code that the one run would have had. Throws `BadInput` for shards that do not fit. */
export async function mergeShards(args: readonly string[], around: Surroundings): Promise<number> {
  const { files, json, help } = readOptions(args, around.env)
  if (help) {
    await writeAll(around.stdout, [mergeHelp])
    return exitCodes.holds
  }
  if (files.length === 0)
    throw usageFault('merge without files', 'results of shards: a.json b.json')
  const from = startFolder(around.env)
  const shards = files.flatMap((file) => readShards(resolve(from, file), file))
  const documents = byScenario(shards).map(mergedOrRefused)
  if (json) await writeAll(around.stdout, [jsonOfAll(documents, documents.length)])
  else
    await writeAll(
      around.stdout,
      documents.map((document) => tellingOf(document, around)),
    )
  return documents.every((each) => holds(each, false)) ? exitCodes.holds : exitCodes.fails
}

/** A shard of several scenarios has results of each. */
function byScenario(shards: readonly ShardDocument[]): ShardDocument[][] {
  const names = new Set(shards.map(({ scenario }) => scenario))
  return [...names].map((name) => shards.filter(({ scenario }) => scenario === name))
}

function mergedOrRefused(shards: readonly ShardDocument[]): CampaignDocument {
  const misfit = misfitOf(shards)
  if (misfit) throw new BadInput('merge', [{ where: shards[0]?.scenario ?? '', ...misfit }])
  return merged(shards)
}

function tellingOf(document: CampaignDocument, { stdout, env }: Surroundings): string {
  const ran = `seeds ${document.ran}   ${several(document.seeds, 'run')}`
  return campaignTelling(document, { isShard: false, ran, colors: colorsFor(stdout, env) })
}
