/** `npm run sim -- --against <data folder>`, from options to exit code. */

import { resolve } from 'node:path'
import type { Options } from '../command-line/options.ts'
import { usageFault } from '../command-line/usage.ts'
import { writeAll } from '../command-line/output.ts'
import { reportFolder, writeReport } from '../command-line/report-files.ts'
import { exitCodes, startFolder, type Surroundings } from '../command-line/surroundings.ts'
import { TraceFile } from '../command-line/trace-file.ts'
import { resultTexts } from '../result/write-result.ts'
import { openRecording, type Recording } from './recording.ts'
import { replayExactly, type Exactness } from './replay.ts'
import { headOf, tableOf, verdictOf } from './tell.ts'
import { scenarioNameOf, watchRecording } from './watch.ts'

/** What --against says, and what else was asked for. */
export type AgainstOptions = Options & { readonly against: string }

/** Replays a server's recording; with settings, also what would have happened. Exit code. */
export async function runAgainst(options: AgainstOptions, around: Surroundings): Promise<number> {
  refuseOthers(options)
  const from = startFolder(around.env)
  const { against, queue } = options
  const recording = openRecording(resolve(from, against), against, queue)
  const exactness = replayAndTrace(recording, options, from)
  return tellRecording(recording, exactness, { options, around })
}

/** Options that make no sense for a recording. */
function refuseOthers({ files, seeds, features, why, once }: AgainstOptions): void {
  if (files.length > 0) throw usageFault('--against and a scenario', 'one of them')
  if (seeds !== null)
    throw usageFault('--against and a seed', 'one of them: a recording has no draws')
  if (features.length > 0) throw usageFault('--against and --with', 'one of them')
  if (why !== null) throw usageFault('--against and --why', 'one of them')
  if (once) throw usageFault('--against and --once', 'one of them')
}

function replayAndTrace(recording: Recording, { trace }: Options, from: string): Exactness {
  if (trace === null) return replayExactly(recording)
  const file = new TraceFile(resolve(from, trace))
  const exactness = replayExactly(recording, file.add)
  file.close()
  return exactness
}

type Telling = { readonly options: AgainstOptions; readonly around: Surroundings }

async function tellRecording(
  recording: Recording,
  exactness: Exactness,
  { options, around }: Telling,
): Promise<number> {
  const { result, violations } = watchRecording(recording, exactness)
  const { figures, properties } = result
  const text = [
    headOf(recording),
    tableOf([{ name: 'recorded', figures }]),
    verdictOf(exactness, properties),
  ].join('\n')
  const isFine = exactness.fault === null && violations === 0
  if (options.json) {
    await writeAll(around.stdout, resultTexts(result))
    if (!isFine) await writeAll(around.stderr, [verdictOf(exactness, properties)])
  } else await writeAll(around.stdout, [text])
  if (options.writesFiles) {
    const folder = reportFolder(scenarioNameOf(recording), options.report, startFolder(around.env))
    writeReport(folder, { 'summary.txt': [text], 'result.json': resultTexts(result) })
    if (!options.json) await writeAll(around.stdout, [`report  ${folder}\n`])
  }
  return isFine ? exitCodes.holds : exitCodes.fails
}
