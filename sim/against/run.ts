/** `npm run sim -- --against <data folder>`, from options to exit code. */

import { resolve } from 'node:path'
import type { Options } from '../command-line/options.ts'
import { usageFault } from '../command-line/usage.ts'
import { colorsFor, writeAll } from '../command-line/output.ts'
import { writeExpanded } from '../command-line/report-files.ts'
import { storyOf } from '../command-line/story.ts'
import { exitCodes, startFolder, type Surroundings } from '../command-line/surroundings.ts'
import { TraceFile } from '../command-line/trace-file.ts'
import { Recording as Retold } from '../report/recording/recording.ts'
import { resultTexts } from '../result/write-result.ts'
import { Why } from '../why/why.ts'
import { writeFiles, type Replayed } from './files.ts'
import { openRecording, type Recording } from './recording.ts'
import { replayExactly, type Exactness } from './replay.ts'
import { headOf, tableOf, verdictOf, type Column } from './tell.ts'
import { watchRecording } from './watch.ts'
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
  const read = reread(recording, exactness, options.why)
  return tell(read, tryAndExpand(read, options, from), options, around)
}

/** Options that make no sense for a recording. */
function refuseOthers(options: AgainstOptions): void {
  const { files, seeds, features, why, settings, once } = options
  if (files.length > 0) throw usageFault('--against and a scenario', 'one of them')
  if (seeds !== null)
    throw usageFault('--against and a seed', 'one of them: a recording has no draws')
  if (features.length > 0) throw usageFault('--against and --with', 'one of them')
  if (why !== null && settings.length > 0) throw usageFault('--why and --set', 'one of them')
  if (once) throw usageFault('--against and --once', 'one of them')
}

function replayAndTrace(recording: Recording, { trace }: Options, from: string): Exactness {
  if (trace === null) return replayExactly(recording)
  const file = new TraceFile(resolve(from, trace))
  const exactness = replayExactly(recording, file.add)
  file.close()
  return exactness
}

type Reread = Replayed & { readonly witness: Witness; readonly why: Why | null }

/** Goes through it once more, for everybody who wants to hear of it. */
function reread(recording: Recording, exactness: Exactness, number: Options['why']): Reread {
  const witness = new Witness(recording)
  const retold = new Retold()
  const why = number === null ? null : new Why(number)
  const watched = watchRecording(recording, exactness, {
    readers: [() => witness.read, retold.reader, ...(why ? [why.reader] : [])],
    onViolation: retold.onViolation,
  })
  return { recording, exactness, watched, retold, witness, why }
}

function tryAndExpand(
  { recording, witness }: Reread,
  { expand, settings }: AgainstOptions,
  from: string,
): WhatIf | null {
  if (expand !== null) {
    const scenario = derivedScenario(recording, witness, settings)
    writeExpanded(resolve(from, expand), scenario)
  }
  return settings.length === 0 ? null : tryOut(recording, witness, settings)
}

/** Tells what came of it, on the terminal and in files. Exit code. */
async function tell(
  read: Reread,
  whatIf: WhatIf | null,
  options: AgainstOptions,
  { stdout, stderr, env }: Surroundings,
): Promise<number> {
  const { recording, exactness, watched, why } = read
  const { result, violations } = watched
  const columns = whatIf ? triedColumns(whatIf, options.settings) : []
  const verdict = verdictOf(exactness, result.properties)
  const textWith = (middle: string): string => [headOf(recording), middle, verdict].join('\n')
  const table = tableOf([{ name: 'recorded', figures: result.figures }, ...columns])
  const told = `${textWith(table)}${whatIf ? storiesOf(whatIf) : ''}`
  const shown = whatIf ? whatIf.tried.result : result
  const isFine = exactness.fault === null && violations === 0
  if (options.json) {
    await writeAll(stdout, resultTexts(shown))
    await writeAll(stderr, isFine ? [] : [verdict])
  } else {
    const story = why?.story(colorsFor(stdout, env), recording.begin.at)
    await writeAll(stdout, [story === undefined ? told : textWith(`${story.trimEnd()}\n`)])
  }
  if (options.writesFiles) {
    const report = await writeFiles(read, { told, shown }, options, env)
    if (!options.json) await writeAll(stdout, [`report  ${report}\n`])
  }
  return isFine && failuresIn(whatIf) === 0 ? exitCodes.holds : exitCodes.fails
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
