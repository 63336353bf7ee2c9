/**
 * `mergeyard compare everywhere`: the one setting that Mergeyard proposes, against every queue at its
 * defaults and at its best, in every place. Each comparison is written as soon as it is done, and is
 * not made again by the same build with the same options.
 */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../sim/campaign/build.ts'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { historiesIn, readCiRuns } from '../../sim/import/ci-runs.ts'
import { imported } from '../../sim/import/imported.ts'
import { usualMinutes } from '../../sim/import/lengths.ts'
import { checkScenario } from '../../sim/scenario/check.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { type Interval, centreOf } from '../../sim/statistics/interval.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { CliContext } from '../../server/terminal/command.ts'
import { oneOf } from '../../server/terminal/readers.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import { widthOf, writeAll, writeText } from '../../server/terminal/output.ts'
import { seedRange, overTable } from '../../sim/cli/values.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from '../../sim/cli/report-files.ts'
import { columns, several } from '../../server/terminal/text.ts'
import { spreadOver } from '../over/spread-over.ts'
import { cellText, figure } from '../statistics/effects.ts'
import { readLengthModels } from '../queues/fair-scenario.ts'
import { readBudget } from '../tune/runner.ts'
import { judgedMeasures, judgedPlace, proposed } from '../compare/judge-place.ts'
import type { JudgedPlace, Wanted } from '../compare/judge-place.ts'

const table = {
  'seeds <n | a..b>': { help: 'run seeds 1..n, or a..b', default: '60' },
  'lengths <model>': {
    help: 'length of runs: run, constant, composition, scenario; or all for the first three',
    default: 'all',
  },
  'best <budget>': {
    help: 'find the best setting of every other queue with this budget each, as in tune',
    default: '10s',
  },
  'traces <folder>':
    'also the histories of builds in this folder (CSV), at 1, 5 and 20 times their pace',
  'only <name>...': 'compare only in this place',
  ...overTable,
  'report <folder>': 'report folder (default: reports/everywhere)',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'compare everywhere',
  npm: 'npm run compare -- everywhere',
  about: `Compare the one setting that Mergeyard proposes with every other queue, at its defaults and at its
best, and with twenty fixed settings of Mergeyard, for every archetype, every history, four rates of clashes and
every model of run length. Prints in how many figures another queue is surely better, which fixed setting is surely
faster without a price, and how near the setting comes to the batching clairvoyant.

Each comparison is written to the report folder as soon as it is done. The same command goes on from there:
what the same build has compared with the same options is read.

To compare a scenario file with the name everywhere, write ./everywhere.`,
  table,
}

type EverywhereOptions = ReturnType<typeof optionsOf>

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
function optionsOf(parsed: ParsedOptions<typeof table>) {
  return {
    seeds: parsed.read('seeds', seedRange),
    models: parsed.read('lengths', readLengthModels),
    budget: parsed.read('best', readBudget),
    traces: parsed.text('traces'),
    /** Which of these places; empty means all. */
    only: (names: readonly string[]) =>
      parsed.readList('only', oneOf(names, `one of ${names.join('; ')}`)),
    report: parsed.text('report'),
  }
}

export const everywhere = commandOf(usage, (parsed, context) =>
  spreadOver(parsed, usage.command, context, (spreading) =>
    compareEverywhere(optionsOf(parsed), context, spreading),
  ),
)

async function compareEverywhere(
  options: EverywhereOptions,
  context: CliContext,
  spreading: Spreading,
): Promise<number> {
  const from = startFolder(context.env)
  const folder = reportFolder('everywhere', options.report, from)
  refuseUnwritable(folder)
  const wanted = wantedIn(options, from)
  const found: JudgedPlace[] = []
  for (const each of wanted) {
    const [file, key] = [fileOf(each), keyOf(each, options)]
    const before = doneBefore(join(folder, file), key)
    const place = before ?? (await judgedPlace(each, options, { ...context, spreading }))
    if (!place) return exitCodes.interrupted
    if (!before) writeReport(folder, { [file]: [jsonOf({ key, place })] })
    found.push(place)
  }
  const { stdout } = context
  await writeText(stdout, goalsText(found, widthOf(stdout)))
  await writeAll(stdout, [`report  ${folder}\n`])
  return exitCodes.success
}

/** Throws `BadInput` if there is no place of such a name. */
function wantedIn({ traces, only, models }: EverywhereOptions, from: string): Wanted[] {
  const all = placesOf(traces === null ? null : resolve(from, traces))
  const named = only(all.map(({ name }) => name))
  return all
    .filter(({ name }) => named.length === 0 || named.includes(name))
    .flatMap((scenario) => models.map((lengths): Wanted => ({ scenario, lengths })))
}

const fileOf = ({ scenario, lengths }: Wanted): string =>
  `${`${scenario.name}-${lengths}`.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}.json`

/** Whatever could change the result. */
const keyOf = (wanted: Wanted, { seeds, budget }: EverywhereOptions): string =>
  createHash('sha256')
    .update(JSON.stringify({ wanted, seeds, budget, proposed, build: build() }))
    .digest('hex')
    .slice(0, 16)

function doneBefore(path: string, key: string): JudgedPlace | null {
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  const done: { readonly key?: string; readonly place: JudgedPlace } = JSON.parse(text)
  return done.key === key ? done.place : null
}

/** `storm-then-calm` and `synchronised-burst` are left out: of 40 and 15 pull requests p95 is one or two. */
const archetypeNames = [
  'startup-monorepo',
  'midsize-monolith',
  'release-freeze',
  'sticky-failures',
  'flaky-storm',
  'small-team',
  'monorepo-with-hubs',
  'slow-ci-with-roll-ups',
  'hotfix',
  'changes-that-clash',
  'agents-arrive',
] as const

/** The chances that a pair clashes, for `startup-monorepo`, beside that of the archetype itself. */
const clashRates = [0, 0.005, 0.01, 0.02] as const

/** How many times as busy as it was a history is replayed. */
const paces = [1, 5, 20] as const

/** As many builds of a history as `sim import` takes by default: the last ones. */
const buildsAtMost = 500

/** Returns the archetypes, and all histories (`.csv`) of the folder. Throws `BadInput`. */
function placesOf(traces: string | null): Scenario[] {
  const archetypes = archetypeNames.map(archetype)
  const clashing = clashRates.map((clashRate): Scenario => {
    const { name, traffic, ...rest } = archetype('startup-monorepo')
    return { ...rest, name: `${name}, clash rate ${clashRate}`, traffic: { ...traffic, clashRate } }
  })
  const usual = [...archetypes, ...clashing]
  return traces === null ? usual : [...usual, ...pacedHistories(traces)]
}

const archetype = (name: (typeof archetypeNames)[number]): Scenario =>
  loadScenario(fileURLToPath(new URL(`../../../scenarios/${name}.json`, import.meta.url)))

function pacedHistories(folder: string): Scenario[] {
  return historiesIn(folder).flatMap((file) => {
    const runs = readCiRuns(join(folder, file), file).slice(-buildsAtMost)
    const history = { log: null, runs, junit: null, minutes: usualMinutes }
    return paces.map((busier) => {
      const project = file.replace(/\.csv$/, '')
      const name = busier === 1 ? project : `${project}, ${busier} times as busy`
      return checkScenario(imported({ ...history, name, busier }), file)
    })
  })
}

// The goals, in how many places the proposed setting meets them, and both as text for the terminal.

const goals = { p95: 2, ciMinutes: 1.1, evictedPercent: 0.5 } as const

type GoalName = keyof typeof goals

/** The value of a place that a goal is about: a ratio to the clairvoyant, or percent. */
function valueOf({ judged }: JudgedPlace, goal: GoalName): number | null {
  const found: Interval | null =
    goal === 'evictedPercent' ? judged.evictedPercent : (judged.overClairvoyant[goal]?.size ?? null)
  return found && centreOf(found)
}

function meets(place: JudgedPlace, goal: GoalName): boolean {
  const value = valueOf(place, goal)
  return value !== null && value <= goals[goal]
}

/** In how many places nobody, somebody, or somebody who pays nothing for it, is surely better. */
export function standingsOf(places: readonly JudgedPlace[]) {
  return judgedMeasures.map((measure, at) => {
    const figures = places.flatMap(({ judged }) => judged.figures[at] ?? [])
    const beaten = figures.filter(({ better }) => better.length > 0)
    return {
      measure,
      places: figures.length,
      beaten: beaten.length,
      /** Of those: by a queue that is surely worse in none of the other figures. */
      beatenForNothing: beaten.filter(({ better }) =>
        better.some(({ paysIn }) => paysIn.length === 0),
      ).length,
      /** Where the mean of the proposed setting is not above that of any other queue. */
      bestMean: figures.filter(
        ({ own, bestOther }) => own && bestOther && centreOf(own) <= bestOther.mean,
      ).length,
    }
  })
}

const goalTexts: readonly { readonly goal: GoalName; readonly text: string }[] = [
  { goal: 'p95', text: `p95 time to land at most ${goals.p95} times the batching clairvoyant's` },
  { goal: 'ciMinutes', text: `CI minutes at most ${goals.ciMinutes} times its` },
  { goal: 'evictedPercent', text: `at most ${goals.evictedPercent} % of the healthy evicted` },
]

export function goalsText(places: readonly JudgedPlace[], width: number | null = null): string {
  const rows = columns([head, ...places.map(rowOf)], [3, 5, 6], width)
  const missed = '! marks a missed goal; the goals are below\n'
  return `${rows}${rows.includes('!') ? missed : ''}\n${standingText(places)}${goalText(places)}`
}

const head = [
  'place',
  'length of runs',
  'p95 to land, min',
  'over clairvoyant',
  'CI min per merge',
  'over clairvoyant',
  'evicted, %',
  'surely better',
  'fixed and faster',
]

function rowOf(place: JudgedPlace): string[] {
  const { scenario, lengths, judged } = place
  const [p95, ciMinutes] = judged.figures
  const over = (goal: GoalName): string => {
    const value = valueOf(place, goal)
    return value === null ? '-' : `${figure(value)}${meets(place, goal) ? '' : ' !'}`
  }
  return [
    scenario,
    lengths,
    cellText(p95?.own ?? null),
    over('p95'),
    cellText(ciMinutes?.own ?? null),
    over('ciMinutes'),
    over('evictedPercent'),
    betterText(place),
    fixedText(place),
  ]
}

/** `batches of 4, hold 0 x0.87 (0.8 to 0.94)`, the fastest of them; `none` if there is none. */
function fixedText({ fixed }: JudgedPlace): string {
  const [fastest, ...others] = fixed.toSorted((a, b) => centreOf(a.p95.size) - centreOf(b.p95.size))
  if (!fastest) return 'none'
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${fastest.setting} x${cellText(fastest.p95.size)}${more}`
}

/** `p95: Zuul-like (CI), GitLab-like`: in brackets what it pays. */
function betterText({ judged }: JudgedPlace): string {
  const short = {
    'time to land p95': 'p95',
    'CI minutes per merge': 'CI',
    'healthy evicted': 'evicted',
  }
  const found = judged.figures.flatMap(({ measure, better }) => {
    if (better.length === 0) return []
    const names = better.map(({ strategy, paysIn }) => {
      const price = paysIn.map((each) => short[each]).join(', ')
      return price === '' ? strategy : `${strategy} (${price})`
    })
    return [`${short[measure]}: ${names.join(', ')}`]
  })
  return found.length === 0 ? 'none' : found.join('; ')
}

function standingText(places: readonly JudgedPlace[]): string {
  const sentences = standingsOf(places).map(
    ({ measure, places: all, beaten, beatenForNothing, bestMean }) =>
      `${measure}: no other queue is surely better in ${all - beaten} of ${all}; one is, without being surely worse in another figure, in ${beatenForNothing}; the best mean in ${bestMean}.\n`,
  )
  return sentences.join('')
}

function goalText(places: readonly JudgedPlace[]): string {
  const met = goalTexts.map(
    ({ goal, text }) =>
      `${text}: ${places.filter((place) => meets(place, goal)).length} of ${places.length}\n`,
  )
  const slower = places.filter(({ fixed }) => fixed.length > 0).length
  const fixed = `no fixed setting surely faster by 5 % without a price: ${places.length - slower} of ${places.length}\n`
  const bad = places.reduce((sum, { judged }) => sum + judged.badMerged, 0)
  const broken = places.reduce((sum, { judged }) => sum + judged.brokenMainMinutes, 0)
  return `${met.join('')}${fixed}${several(bad, 'bad pull request')} merged; main broken ${figure(broken)} min\n`
}
