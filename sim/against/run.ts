/** `npm run sim -- --against <data folder>`, from options to exit code. */

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Options } from '../command-line/options.ts'
import { usageFault } from '../command-line/usage.ts'
import { writeAll } from '../command-line/output.ts'
import { reportFolder, writeReport } from '../command-line/report-files.ts'
import { storyOf } from '../command-line/story.ts'
import { exitCodes, startFolder, type Surroundings } from '../command-line/surroundings.ts'
import { TraceFile } from '../command-line/trace-file.ts'
import { resultTexts } from '../result/write-result.ts'
import { openRecording, type Recording } from './recording.ts'
import { replayExactly, type Exactness } from './replay.ts'
import { headOf, tableOf, verdictOf, type Column } from './tell.ts'
import { scenarioNameOf, watchRecording } from './watch.ts'
import { derivedScenario, tryOut, type WhatIf } from './what-if.ts'
import { Witness } from './witness.ts'

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
  const witness = new Witness(recording)
  const { result, violations } = watchRecording(recording, exactness, [witness.read])
  const { expand, settings } = options
  if (expand !== null) {
    const scenario = derivedScenario(recording, witness, settings)
    const file = resolve(startFolder(around.env), expand)
    writeFileSync(file, `${JSON.stringify(scenario, null, 2)}\n`)
  }
  const whatIf = settings.length === 0 ? null : tryOut(recording, witness, settings)
  const recorded = [{ name: 'recorded', figures: result.figures }]
  const verdict = verdictOf(exactness, result.properties)
  const text = [
    headOf(recording),
    tableOf([...recorded, ...(whatIf ? triedColumns(whatIf, settings) : [])]),
    verdict,
  ].join('\n')
  const told = whatIf ? `${text}${storiesOf(whatIf)}` : text
  const shown = whatIf ? whatIf.tried.result : result
  if (options.json) {
    await writeAll(around.stdout, resultTexts(shown))
    await writeAll(around.stderr, exactness.fault === null && violations === 0 ? [] : [verdict])
  } else await writeAll(around.stdout, [told])
  if (options.writesFiles) {
    const folder = reportFolder(scenarioNameOf(recording), options.report, startFolder(around.env))
    writeReport(folder, { 'summary.txt': [told], 'result.json': resultTexts(shown) })
    if (!options.json) await writeAll(around.stdout, [`report  ${folder}\n`])
  }
  const isFine = exactness.fault === null && violations + failuresIn(whatIf) === 0
  return isFine ? exitCodes.holds : exitCodes.fails
}

function triedColumns({ asItWas, tried }: WhatIf, settings: readonly string[]): Column[] {
  return [
    { name: 'likeness', figures: asItWas.result.figures },
    { name: settings.join(' '), figures: tried.result.figures },
  ]
}

function failuresIn(whatIf: WhatIf | null): number {
  return whatIf ? whatIf.asItWas.failures.length + whatIf.tried.failures.length : 0
}

/** What broke in the runs that only could have been. */
function storiesOf({ asItWas, tried }: WhatIf): string {
  const stories = [...asItWas.failures, ...tried.failures].map(storyOf)
  return `\n${likenessNote}${stories.map((story) => `${story}\n`).join('')}`
}

const likenessNote = `likeness: the recorded pull requests, drawn again with the same settings. What is told of others is
as good as that. --expand <file> writes the scenario, for more seeds and other settings.
`
