/** `--shard i/n` of a command whose parts hold the answers of their tasks. */

import { PassThrough } from 'node:stream'
import { onCores, type Spreading } from '../../../sim/campaign/over-cores.ts'
import {
  PartDone,
  recordingPart,
  type AnswersDocument,
  type RecordedWork,
} from '../../../sim/campaign/answers.ts'
import { build } from '../../../sim/campaign/parts/build.ts'
import { exactJson } from '../../../sim/campaign/parts/exact-json.ts'
import type { Shard } from '../../../sim/random/seeds.ts'
import { exitCodes, startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import { writeAll } from '../../../sim/terminal/output.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'

export type PartRun = {
  /** The name of the file and of its folder: `tune`, `defects`. */
  readonly name: string
  readonly shard: Shard
  /** The command line of the campaign, with the name of the command. */
  readonly campaign: readonly string[]
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
}

/** Runs a command up to the end of its part. Its own output comes from the merge. */
export async function runPart(
  part: PartRun,
  run: (context: CliContext, spreading: Spreading) => Promise<number>,
  context: CliContext,
): Promise<number> {
  const { shard, campaign, json, writesFiles } = part
  const inParts = recordingPart(shard, context.stderr)
  // The bar of the whole work would stand still.
  const quiet = { ...context, stderr: new PassThrough().resume() }
  const work = await workOf(run(quiet, { ...onCores, inParts }))
  // A part of a part would be taken for a whole one.
  if (context.signal.aborted) return exitCodes.interrupted
  if (typeof work === 'number') return work
  const { input, tasks, answers } = work
  const header = { index: shard.index, of: shard.of, campaign, input, build: build() }
  const document: AnswersDocument = { part: header, tasks, answers }
  const text = `${exactJson(document)}\n`
  const said = `part ${shard.index} of ${shard.of}   ${answers.length} of ${tasks} tasks\n`
  await writeAll(context.stdout, [json ? text : said])
  if (!writesFiles) return exitCodes.success
  const folder = reportFolder(part.name, part.report, startFolder(context.env))
  const file = `${part.name}-${shard.index}-of-${shard.of}.json`
  const path = writeReport(folder, { [file]: [text] })
  if (!json) await writeAll(context.stdout, [`part  ${path}\n`])
  return exitCodes.success
}

/** Returns the exit code of a command that ended before its part. */
async function workOf(running: Promise<number>): Promise<RecordedWork | number> {
  try {
    return await running
  } catch (error) {
    if (error instanceof PartDone) return error.work
    throw error
  }
}
