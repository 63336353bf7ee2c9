/** The command `mergeyard soak`. */

import type { Spreading } from '../../../sim/campaign/over-cores.ts'
import { seedsIn, sizeOf } from '../../../sim/random/seeds.ts'
import { runSoak, type RunSoak } from '../../../sim/soak/run-soak.ts'
import { holds, type SoakSummary } from '../../../sim/soak/summary.ts'
import { SoakTotals } from '../../../sim/soak/totals.ts'
import { exitCodes, startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import { colorsFor, writeAll } from '../../../sim/terminal/output.ts'
import { commandOf, type Main } from '../../../sim/terminal/command.ts'
import {
  endlessBar,
  progressBar,
  timeBar,
  type ProgressBar,
} from '../../../sim/terminal/progress-bar.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'
import { duration } from '../../../sim/terminal/text.ts'
import { spreadOver } from '../../over/spread-over.ts'
import { FindingFiles } from './findings.ts'
import { soakOptionsOf, usage, type SoakOptions, type SoakSeeds } from './options.ts'
import { soakText } from './summary-text.ts'

/** Makes the command. Tests replace `run` to soak another engine in their own process. */
export function soakCommand(run: RunSoak): Main {
  return commandOf(usage, async (parsed, context) => {
    const options = soakOptionsOf(parsed)
    return spreadOver(parsed, 'soak', context, ({ spread, note }) =>
      soak(options, context, { run, spread, note }),
    )
  })
}

export const main = soakCommand(runSoak)

type Work = Pick<Spreading, 'spread' | 'note'> & {
  readonly run: RunSoak
}

async function soak(options: SoakOptions, context: CliContext, work: Work): Promise<number> {
  const { seeds, writesFiles, report } = options
  const startedMs = performance.now()
  const { totals, shrunk } = await runAll(options, context, work)
  const time = duration((performance.now() - startedMs) / 60_000)
  const summary = totals.summary()
  await show(summary, { ...options, time }, context)
  await writeAll(options.json ? context.stderr : context.stdout, [shrunk])
  if (writesFiles) {
    const folder = reportFolder('soak', report, startFolder(context.env))
    const path = writeReport(folder, { 'summary.json': [jsonOf(summary)] })
    if (!options.json) await writeAll(context.stdout, [`summary  ${path}\n`])
  }
  if (!holds(summary)) return exitCodes.failure
  const isInterrupted = context.signal.aborted && !seeds.isEndless
  return isInterrupted ? exitCodes.interrupted : exitCodes.success
}

/** The soak stops after this many findings, so that they do not fill the memory. */
const findingsAtMost = 1000

type Done = {
  readonly totals: SoakTotals
  /** Descriptions of the shrunk findings. */
  readonly shrunk: string
}

async function runAll(
  { seeds, writesFiles }: SoakOptions,
  context: CliContext,
  { run, spread, note }: Work,
): Promise<Done> {
  const { forMs } = seeds
  const totals = new SoakTotals()
  const files = new FindingFiles(context)
  const enough = new AbortController()
  const timeout = forMs === null ? [] : [AbortSignal.timeout(forMs)]
  const bar = barFor(seeds, sizeOf(seeds), { ...context, note })
  await run({
    seeds: seedsIn(seeds),
    onRun: (done) => {
      const finding = totals.add(done)
      if (finding && writesFiles) files.add(done)
      if (totals.findings >= findingsAtMost) enough.abort()
      bar.advance(finding ? 1 : 0)
    },
    enough: AbortSignal.any([enough.signal, ...timeout]),
    signal: context.signal,
    spread,
  })
  bar.stop()
  return { totals, shrunk: await files.finished() }
}

function barFor(
  { forMs, isEndless }: SoakSeeds,
  size: number,
  { stderr, note }: CliContext & Pick<Spreading, 'note'>,
): ProgressBar {
  const name = (): string => `soak${note()}`
  if (isEndless) return endlessBar(stderr, name)
  return forMs === null ? progressBar(stderr, name, size) : timeBar(stderr, name, forMs)
}

async function show(
  summary: SoakSummary,
  { json, time }: { readonly json: boolean; readonly time: string | null },
  { stdout, env }: CliContext,
): Promise<void> {
  const text = json ? jsonOf(summary) : soakText(summary, time, colorsFor(stdout, env))
  await writeAll(stdout, [text])
}

const jsonOf = (summary: SoakSummary): string => `${JSON.stringify(summary, null, 2)}\n`
