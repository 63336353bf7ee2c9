/** `mergeyard tune`. */

import { join } from 'node:path'
import type { Colors } from 'picocolors/types.js'
import { columns, folded, several } from '../../server/terminal/text.ts'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { colorsFor, widthOf, writeAll } from '../../server/terminal/output.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { simLine } from '../../sim/judge/replay-command.ts'
import {
  type CliContext,
  commandOf,
  exitCodes,
  startFolder,
} from '../../server/terminal/command.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from '../../sim/cli/report-files.ts'
import { loadOne } from '../../sim/judge/sources.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { applySettings } from '../../sim/scenario/settings.ts'
import { parted } from '../../sim/world/history-days.ts'
import { fairScenario } from '../queues/fair-scenario.ts'
import { cellText, figure } from '../statistics/text.ts'
import { documentOf, type SettingResult, type TuneDocument } from '../tune/document.ts'
import { SettingRunner, TuneFault, TuneInterrupted } from '../tune/runner.ts'
import { type FigureName, figureTable, type Preference } from '../tune/figures.ts'
import {
  besideWords,
  changeWords,
  fastestFirst,
  foldedWords,
  marksOf,
  meanIn,
  policyWords,
  queueWords,
  searchWords,
  sensitivityWords,
  unprovenWords,
  quarantineWords,
  untriedWords,
  verdictWords,
} from '../tune/sentences.ts'
import { reproducing } from '../tune/tune-worker.ts'
import { settingsOf } from '../tune/candidates.ts'
import { type TuneAxis, valueName } from '../tune/axes.ts'
import { tuned, type Tuned, type TuneRequest } from '../tune/tune.ts'
import { spreadOver } from '../over/spread-over.ts'
import type { Effects } from '../tune/verdict.ts'
import { readTuneOptions, type TuneOptions, usage } from './tune-options.ts'

export const main = commandOf(usage, (parsed, context) =>
  spreadOver(parsed, usage.command, context, (spreading) =>
    tune(readTuneOptions(parsed), context, spreading),
  ),
)

async function tune(
  options: TuneOptions,
  context: CliContext,
  spreading: Spreading,
): Promise<number> {
  const named = { command: usage.command, from: startFolder(context.env), settings: [] }
  const request = requestOf(options, scenarioOf(options, loadOne(options, named)))
  const { stderr, signal } = context
  const { name } = request.scenario
  if (options.writesFiles) refuseUnwritable(folderOf(name, options, context))
  const runner = new SettingRunner({ name, stderr, signal, ...spreading })
  try {
    const found = await tuned(request, runner)
    const beside = await besideOf(request, options, { ...context, spreading })
    const document = documentOf(found, options.address, beside)
    await writeResult(document, options, context)
    return exitCodes.success
  } catch (error) {
    if (error instanceof TuneInterrupted) return exitCodes.interrupted
    if (!(error instanceof TuneFault)) throw error
    await tellFault(error, options, context)
    return exitCodes.failure
  }
}

/** With another queue, searches Mergeyard's settings on the same budget and the same seeds. */
async function besideOf(
  request: TuneRequest,
  options: TuneOptions,
  { stderr, signal, spreading }: CliContext & { readonly spreading: Spreading },
): Promise<Tuned | null> {
  if (!request.other) return null
  const runner = new SettingRunner({ name: 'Mergeyard', stderr, signal, ...spreading })
  const fixed = new Set(fixedIn(options.axes))
  return tuned({ ...request, other: null, axes: null, fixed }, runner)
}

function fixedIn(axes: readonly TuneAxis[]): string[] {
  const single = axes.flatMap(({ values }) => (values.length === 1 ? values : []))
  return single.flatMap(({ assignments }) => Object.keys(assignments))
}

/** A value that is the only one of its axis applies to every setting, including today's. */
function scenarioOf(options: TuneOptions, scenario: Scenario): Scenario {
  const fixed = options.axes.flatMap(({ values }) => (values.length === 1 ? values : []))
  const settings = fixed.flatMap(({ assignments }) => settingsOf(assignments))
  const known = settings.map((setting) => setting.slice(0, setting.indexOf('=') + 1))
  const set = applySettings(scenario, [...settings, ...options.prices])
  return options.resubmitting(withoutKnown(set, known))
}

/** A value that the command gives is no longer assumed. */
function withoutKnown(scenario: Scenario, known: readonly string[]): Scenario {
  const { assumed } = scenario
  if (!assumed) return scenario
  const left = assumed.filter(({ replace }) => !known.some((path) => replace.includes(path)))
  return { ...scenario, assumed: left }
}

function requestOf(options: TuneOptions, scenario: Scenario): TuneRequest {
  const { seeds, budget, allowed, leastPercent } = options
  const axes = options.axes.filter(({ values }) => values.length > 1)
  const preference = preferenceOf(options, scenario)
  const common = { seeds, budget, preference, allowed, leastPercent }
  if (options.other) {
    const { queue, today: values, axes: own, fixed } = options.other
    const { scenario: fair, leftOut } = fairScenario(scenario)
    const other = { queue, values, leftOut }
    const { seen, unseen } = parted(fair)
    return { ...common, scenario: seen, unseen, other, axes: own, fixed: new Set(fixed) }
  }
  const named = axes.length > 0 ? axes : null
  const fixed = new Set(fixedIn(options.axes))
  const { seen, unseen } = parted(scenario)
  return { ...common, scenario: seen, unseen, other: null, axes: named, fixed }
}

function preferenceOf({ preference }: TuneOptions, { prices }: Scenario): Preference {
  if (preference === 'price' && !prices) {
    throw badUsage('tune', '--prefer price without a price', '--ci-price or --wait-price as well')
  }
  return preference ?? (prices ? 'price' : 'balance')
}

/**
 * Says which property is violated, and how to run that again. The weeks of a history, its changed
 * assumptions and the options of the command are in no option of the simulator, so the scenario is
 * written as it was simulated.
 */
async function tellFault(
  { candidate, seed, broken }: TuneFault,
  options: TuneOptions,
  context: CliContext,
): Promise<void> {
  const { name, scenario, change } = candidate
  const otherwise = change ? ` and ${change.name} at ${change.to} instead of ${change.from}` : ''
  const found = `BROKEN  ${broken}  with ${name}${otherwise}, seed ${seed}\n`
  if (!options.writesFiles) {
    const hint = 'run it without --no-report to write the scenario that reproduces it\n'
    return writeAll(context.stderr, [found, hint])
  }
  const folder = folderOf(scenario.name, options, context)
  writeReport(folder, { [brokenName]: [reproducing(candidate, seed)] })
  const command = simLine([join(folder, brokenName)])
  return writeAll(context.stderr, [found, `reproduce with ${command}\n`])
}

const brokenName = 'broken.json'

function folderOf(scenario: string, { report }: TuneOptions, { env }: CliContext): string {
  return reportFolder(scenario, report, startFolder(env))
}

/** Prints the result and writes the report. */
async function writeResult(
  document: TuneDocument,
  options: TuneOptions,
  context: CliContext,
): Promise<void> {
  const json = jsonOf(document)
  const { stdout, env } = context
  const look = { colors: colorsFor(stdout, env), width: widthOf(stdout) }
  await writeAll(stdout, [options.json ? json : tuningText(document, look)])
  if (!options.writesFiles) return
  const folder = folderOf(document.scenario, options, context)
  // The chart library loads slowly, so it is imported only for a report.
  const { tunePage } = await import('../tune/report/page.ts')
  writeReport(folder, { 'tune.json': [json], 'tune.html': [await tunePage(document)] })
  if (!options.json) await writeAll(stdout, [`\nreport  ${folder}\n`])
}

// Formats the advice of a tune run for the terminal: the answer first, what it rests on last.

/** The columns of the terminal; null: it is none. */
type Look = { readonly colors: Colors; readonly width: number | null }

/** Returns the advice, the settings of the final, and the assumptions. */
function tuningText(document: TuneDocument, look: Look): string {
  const { colors, width } = look
  const { verdict } = document
  const read = (text: string): string => folded(text, width)
  // What is copied from here stays as it is.
  const copied = verdict.kind === 'change' && verdict.curl !== null ? [`${verdict.curl}\n`] : []
  const parts = [
    read(adviceOf(document, colors)),
    ...copied,
    ...configurationText(document, colors),
    ...besideText(document, colors).map(read),
    ...policiesText(document, colors).map(read),
    ...(verdict.kind === 'empty' ? [] : [read(tableOf(document, look))]),
    ...sensitivityOf(document, look).map(read),
    ...listOf(colors.bold('worth a quarantine'), quarantineWords(document)).map(read),
    ...listOf(colors.bold('what makes no difference'), foldedWords(document)).map(read),
    ...listOf(colors.bold('what it rests on'), [
      searchWords(document),
      ...document.assumptions,
    ]).map(read),
  ]
  return parts.join('\n')
}

function adviceOf(document: TuneDocument, colors: Colors): string {
  const { verdict, settings, scenario } = document
  const { title, reasons } = verdictWords(document)
  const lines = [
    `${scenario}${queueWords(document)}: ${colors.bold(title)}`,
    ...reasons.map((reason) => `  ${reason}`),
  ]
  const advised = verdict.kind === 'unsure' ? verdict.best : verdict.choice
  const setting = settings.find(({ name }) => name === advised)
  const today = settings.find(({ isToday }) => isToday)
  const isCompared = verdict.kind === 'change' || verdict.kind === 'unsure'
  if (!isCompared || !setting || !today || setting === today) return `${lines.join('\n')}\n`
  const head = `\n${advised} instead of today's setting\n`
  return `${lines.join('\n')}\n${head}${comparisonOf(setting, today, setting.againstToday)}`
}

const compared: readonly FigureName[] = [
  'p95',
  'p50',
  'ciMinutes',
  'price',
  'evicted',
  'broken',
  'meanSlots',
  'peakSlots',
]

function comparisonOf(
  setting: SettingResult,
  today: SettingResult,
  effects: Effects | null,
): string {
  const rows = compared.flatMap((name) => {
    const [before, after] = [meanIn(today, name), meanIn(setting, name)]
    if (before === null || after === null || (before === 0 && after === 0)) return []
    const means = `${figure(before)} to ${figure(after)} ${figureTable[name].unit}`
    const words = changeWords(name, effects?.[name] ?? null)
    return [[`  ${figureTable[name].title}`, means.trimEnd(), words]]
  })
  return `${columns(rows)}  ${unprovenWords(setting, today)}\n`
}

/** The other product's own configuration. */
function configurationText({ configuration }: TuneDocument, colors: Colors): string[] {
  if (!configuration) return []
  const { target, text, apply, checked } = configuration
  const notes = [...apply, `checked against ${checked}`].map((line) => `  ${line}\n`)
  return [`${colors.bold(target)}\n${text}${notes.join('')}`]
}

/** What Mergeyard would have given. */
function besideText(document: TuneDocument, colors: Colors): string[] {
  const { beside, verdict, settings } = document
  const choice = settings.find(({ name }) => name === verdict.choice)
  if (!beside || !choice || verdict.kind === 'empty') return []
  const { setting, againstChoice } = beside
  const title = `${colors.bold('beside it: Mergeyard')} with ${besideWords(beside)}`
  return [`${title}\n${comparisonOf(setting, choice, againstChoice)}`]
}

/** The best fixed setting instead of the adaptive policy. */
function policiesText(document: TuneDocument, colors: Colors): string[] {
  const { policies, settings } = document
  const adaptive = settings.find(({ name }) => name === policies?.adaptive)
  const fixed = settings.find(({ name }) => name === policies?.fixed)
  if (!policies || !adaptive || !fixed) return []
  const title = `${colors.bold('adaptive or fixed')}\n  ${policyWords(policies, document)}`
  const table = comparisonOf(fixed, adaptive, policies.fixedAgainstAdaptive)
  return [`${title}\n  from adaptive to fixed:\n${table}`]
}

const shown = {
  p95: ['to land', 'p95, min'],
  ciMinutes: ['CI minutes', 'per landed'],
  price: ['price', 'per landed'],
  evicted: ['healthy', 'evicted'],
  unproven: ['merged', 'unproven'],
  peakSlots: ['peak', 'slots'],
} as const satisfies Partial<Record<FigureName, readonly [string, string]>>

/** The settings of the final that were compared with today's, or have a name. */
function tableOf(document: TuneDocument, { colors, width }: Look): string {
  const { settings, asked, seeds } = document
  const hasPrice = asked.prices !== null
  const rows = fastestFirst(settings)
    .filter(
      (each) =>
        (each.role === 'finalist' && each.sameAs === null) ||
        (each.role === 'around' && marksOf(each, document).length > 0),
    )
    .map((setting, index) => {
      const { p95, ciMinutes, price } = setting.figures
      const mean = (name: FigureName): string => {
        const value = meanIn(setting, name)
        return value === null ? '-' : figure(value)
      }
      return [
        // In a narrow terminal the number finds the rest of the row.
        `${index + 1} ${marksOf(setting, document).join(', ')}`,
        cellText(p95?.mean ?? null),
        p95?.range && p95.range.low < p95.range.high
          ? `${figure(p95.range.low)} to ${figure(p95.range.high)}`
          : '-',
        cellText(ciMinutes?.mean ?? null),
        ...(hasPrice ? [cellText(price?.mean ?? null)] : []),
        mean('evicted'),
        mean('unproven'),
        mean('peakSlots'),
        `${setting.isToday ? todayWords(document) : setting.name}${likeWords(setting, document)}`,
      ]
    })
  const heads = [
    shown.p95,
    ['p95 of 80 %', 'of seeds'] as const,
    shown.ciMinutes,
    ...(hasPrice ? [shown.price] : []),
    shown.evicted,
    shown.unproven,
    shown.peakSlots,
  ]
  const top = ['', ...heads.map(([line]) => line), '']
  const bottom = ['', ...heads.map(([, line]) => line), 'setting']
  const right = heads.map((_, index) => index + 1)
  const title = `${colors.bold('settings of the final')}, means with 95 % intervals over ${several(seeds, 'seed')}`
  return `${title}\n${columns([top, bottom, ...rows], right, width)}`
}

const sensitivityHead = [
  'assumed',
  'here',
  '',
  'surely',
  'on average',
  'tried',
  'beyond, this is better',
]

/** How far the advice holds; nothing where nothing was decided. */
function sensitivityOf(document: TuneDocument, { colors, width }: Look): string[] {
  const { sensitivity } = document
  if (!sensitivity) return []
  const rows = sensitivity.map((each) => Object.values(sensitivityWords(each)))
  const missing = untriedWords(document).map((words) => `  ${words}\n`)
  const table = rows.length === 0 ? '' : columns([sensitivityHead, ...rows], [], width)
  return [`${colors.bold('how far it holds')}\n${table}${missing.join('')}`]
}

/** Settings of the final that act like this one are in its row. */
function likeWords({ name }: SettingResult, { settings }: TuneDocument): string {
  const like = settings.filter((each) => each.role === 'finalist' && each.sameAs === name)
  return like.length === 0 ? '' : `; just like ${like.map((each) => each.name).join('; ')}`
}

/** Today's setting with its values. */
function todayWords({ axes, settings }: TuneDocument): string {
  const labels = settings.find(({ isToday }) => isToday)?.labels ?? {}
  // A value without effect has a dash for a label.
  const effective = axes.filter(({ name }) => labels[name] !== '-')
  const values = effective.map((axis) =>
    [
      valueName(axis, labels[axis.name] ?? 'as in the file'),
      ...(axis.isAssumed ? ['(assumed)'] : []),
    ].join(' '),
  )
  return `today's setting: ${values.join(', ')}`
}

function listOf(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`]
}
