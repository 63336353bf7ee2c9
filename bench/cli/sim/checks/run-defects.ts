/** `--defects`: hunts every defect of the catalogue and prints the scoreboard. */

import type { Defect } from '../../../../sim/defects/defect.ts'
import type { Hunt, HuntOptions } from '../../../../sim/defects/hunt.ts'
import type { HuntTask } from '../../../../sim/defects/hunt-worker.ts'
import { defects, equivalents } from '../../../../sim/defects/index.ts'
import {
  scoreboardOf,
  survivors,
  unproven,
  type Scoreboard,
} from '../../../../sim/defects/scoreboard.ts'
import type { Options } from '../options/options.ts'
import { colorsFor, writeAll } from '../../../../sim/terminal/output.ts'
import { overCores, type Spread, type Spreading } from '../../../../sim/campaign/over-cores.ts'
import { reportFolder, writeReport } from '../../../../sim/terminal/report-files.ts'
import { exitCodes, startFolder, type CliContext } from '../../../../sim/terminal/context.ts'
import { columns, several } from '../../../../sim/terminal/text.ts'
import { workBar } from '../../../../sim/terminal/work-bar.ts'

type DefectsOptions = Pick<Options, 'json' | 'report' | 'writesFiles'> & {
  /** Where the hunts run; the cores of this machine by default. */
  readonly spread?: Spread
  /** What the progress bar says besides. */
  readonly note?: () => string
}

const thorough: HuntOptions = { seedsAtMost: 2000, seedsForOthers: 200 }

/** Returns the exit code: 1 if a defect survives, or a property detects no defect. */
export async function runDefects(
  { json, report, writesFiles, spread = overCores, note = () => '' }: DefectsOptions,
  context: CliContext,
  hunted: readonly Defect[] = defects,
  options: HuntOptions = thorough,
): Promise<number> {
  const hunts = await huntAll(hunted, options, { ...context, spread, note })
  const scoreboard = scoreboardOf(options.seedsAtMost, hunted, hunts, equivalents)
  const text = `${JSON.stringify(scoreboard, null, 2)}\n`
  await writeAll(context.stdout, [json ? text : scoreboardText(scoreboard, context)])
  if (writesFiles) {
    const folder = reportFolder('defects', report, startFolder(context.env))
    writeReport(folder, { 'scoreboard.json': [text] })
  }
  if (context.signal.aborted) return exitCodes.interrupted
  const isComplete = hunted === defects
  const isProven = !isComplete || unproven(scoreboard).length === 0
  return survivors(scoreboard).length === 0 && isProven ? exitCodes.success : exitCodes.failure
}

async function huntAll(
  hunted: readonly Defect[],
  options: HuntOptions,
  { stderr, signal, spread, note }: CliContext & Pick<Spreading, 'spread' | 'note'>,
): Promise<Hunt[]> {
  const bar = workBar(stderr, 'hunting', hunted.length, 'defects')
  const hunts: Hunt[] = []
  try {
    await spread<HuntTask, Hunt>({
      worker: {
        url: new URL('../../../../sim/defects/hunt-worker.js', import.meta.url),
        name: 'huntWorker',
      },
      tasks: hunted.map(({ name }) => ({ ...options, defect: name })),
      onAnswer: (hunt) => {
        hunts.push(hunt)
        bar.update(hunts.length, `${hunt.defect}${note()}`)
      },
      signal,
    })
  } finally {
    bar.stop()
  }
  return hunts
}

function scoreboardText(scoreboard: Scoreboard, context: CliContext): string {
  const colors = colorsFor(context.stdout, context.env)
  const head = ['defect', 'caught by', 'seeds', 'pull requests', 'events', 'also detected by']
  const rows = scoreboard.defects.map(({ defect, caught, equivalent, seenBy }) => {
    const others = Object.keys(seenBy).filter((name) => name !== caught?.property)
    return caught
      ? [
          defect,
          caught.property,
          String(caught.seeds),
          String(caught.pullRequests),
          String(caught.events),
          others.length === 0 ? 'none' : others.join(', '),
        ]
      : [defect, equivalent === null ? 'NONE' : `equivalent: ${equivalent}`]
  })
  return `${columns([head, ...rows], [2, 3, 4])}\n${worthText(scoreboard)}\n${context.signal.aborted ? 'interrupted\n' : verdictOf(scoreboard, colors)}`
}

function worthText({ properties }: Scoreboard): string {
  const rows = properties.map(({ property, alone, impliedBy, runs, runsAlone }) => {
    if (runs === 0) return [property, 'detected no defect']
    if (alone.length > 0) return [property, `is the only one to detect ${alone.join(', ')}`]
    if (runsAlone > 0)
      return [property, `was the only one to report in ${runsAlone} of ${runs} runs`]
    return [property, `never reported without ${impliedBy.join(' or ')}`]
  })
  return columns([['property', ''], ...rows])
}

function verdictOf(scoreboard: Scoreboard, colors: ReturnType<typeof colorsFor>): string {
  const { defects: rows, seedsAtMost } = scoreboard
  const survived = survivors(scoreboard)
  const idle = unproven(scoreboard)
  if (survived.length > 0) {
    return `${colors.red('SURVIVED')}  ${several(survived.length, 'defect')} of ${rows.length} within ${several(seedsAtMost, 'seed')}: ${survived.join(', ')}\n`
  }
  const proof = idle.length > 0 ? `; no defect is detected by ${idle.join(', ')}` : ''
  return `${colors.green('caught')}  all ${several(rows.length, 'defect')}, each within ${several(seedsAtMost, 'seed')}${proof}\n`
}
