/** `--defects`: hunts every defect of the catalogue, and prints the scoreboard. */

import type { Defect } from '../defects/defect.ts'
import type { Hunt, HuntWish } from '../defects/hunt.ts'
import type { HuntTask } from '../defects/hunt-worker.ts'
import { defects, equivalents } from '../defects/index.ts'
import { scoreboardOf, survivors, unproven, type Scoreboard } from '../defects/scoreboard.ts'
import type { Options } from './options.ts'
import { colorsFor, writeAll } from './output.ts'
import { overCores } from './over-cores.ts'
import { reportFolder, writeReport } from './report-files.ts'
import { exitCodes, startFolder, type Surroundings } from './surroundings.ts'
import { columns, several } from './text.ts'
import { workBar } from './work-bar.ts'

type Wish = Pick<Options, 'json' | 'report' | 'writesFiles'>

const thorough: HuntWish = { seedsAtMost: 1000, seedsForOthers: 200 }

/** Answers the exit code: 1 when a defect survives, or a property has nothing to show. */
export async function runDefects(
  { json, report, writesFiles }: Wish,
  around: Surroundings,
  hunted: readonly Defect[] = defects,
  wish: HuntWish = thorough,
): Promise<number> {
  const hunts = await huntAll(hunted, wish, around)
  const scoreboard = scoreboardOf(wish.seedsAtMost, hunted, hunts, equivalents)
  const text = `${JSON.stringify(scoreboard, null, 2)}\n`
  await writeAll(around.stdout, [json ? text : tellingOf(scoreboard, around)])
  if (writesFiles) {
    const folder = reportFolder('defects', report, startFolder(around.env))
    writeReport(folder, { 'scoreboard.json': [text] })
  }
  if (around.signal.aborted) return exitCodes.interrupted
  const isWhole = hunted === defects
  const isProven = !isWhole || unproven(scoreboard).length === 0
  return survivors(scoreboard).length === 0 && isProven ? exitCodes.holds : exitCodes.fails
}

async function huntAll(
  hunted: readonly Defect[],
  wish: HuntWish,
  { stderr, signal }: Surroundings,
): Promise<Hunt[]> {
  const bar = workBar(stderr, 'hunting', hunted.length, 'defects')
  const hunts: Hunt[] = []
  try {
    await overCores<HuntTask, Hunt>({
      worker: { url: new URL('../defects/hunt-worker.js', import.meta.url), name: 'huntWorker' },
      tasks: hunted.map(({ name }) => ({ ...wish, defect: name })),
      onAnswer: (hunt) => {
        hunts.push(hunt)
        bar.update(hunts.length, hunt.defect)
      },
      signal,
    })
  } finally {
    bar.stop()
  }
  return hunts
}

function tellingOf(scoreboard: Scoreboard, around: Surroundings): string {
  const colors = colorsFor(around.stdout, around.env)
  const head = ['defect', 'caught by', 'seeds', 'pull requests', 'events', 'seen by']
  const rows = scoreboard.defects.map(({ defect, caught, equivalent, seenBy }) => {
    const others = Object.keys(seenBy).filter((name) => name !== caught?.property)
    return caught
      ? [
          defect,
          caught.property,
          String(caught.seeds),
          String(caught.pullRequests),
          String(caught.events),
          others.length === 0 ? 'nobody else' : others.join(', '),
        ]
      : [defect, equivalent === null ? 'NOBODY' : `equivalent: ${equivalent}`]
  })
  return `${columns([head, ...rows], [2, 3, 4])}\n${worthText(scoreboard)}\n${around.signal.aborted ? 'interrupted\n' : verdictOf(scoreboard, colors)}`
}

function worthText({ properties }: Scoreboard): string {
  const rows = properties.map(({ property, alone, impliedBy, runs, runsAlone }) => {
    if (runs === 0) return [property, 'has shown nothing']
    if (alone.length > 0) return [property, `alone sees ${alone.join(', ')}`]
    if (runsAlone > 0) return [property, `spoke alone in ${runsAlone} of ${runs} runs`]
    return [property, `never spoke without ${impliedBy.join(' or ')}`]
  })
  return columns([['property', ''], ...rows])
}

function verdictOf(scoreboard: Scoreboard, colors: ReturnType<typeof colorsFor>): string {
  const { defects: rows, seedsAtMost } = scoreboard
  const left = survivors(scoreboard)
  const idle = unproven(scoreboard)
  if (left.length > 0) {
    return `${colors.red('SURVIVED')}  ${several(left.length, 'defect')} of ${rows.length} within ${several(seedsAtMost, 'seed')}: ${left.join(', ')}\n`
  }
  const proof = idle.length > 0 ? `; no defect shows what ${idle.join(', ')} is good for` : ''
  return `${colors.green('caught')}  all ${several(rows.length, 'defect')}, each within ${several(seedsAtMost, 'seed')}${proof}\n`
}
