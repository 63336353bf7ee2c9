/** What a tune run tells below its answer: the page shows all of it, and so does the terminal. */

import type { Colors } from 'picocolors/types.js'
import { tableText, toldText } from '../../../sim/html/told.ts'
import type { Told } from '../../../sim/html/told.ts'
import { type Cell, type Table, right } from '../../../sim/html/pieces.ts'
import { cellText, figure } from '../../statistics/effects.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, figureNames, figureTable, titleOf } from '../figures.ts'
import type { SensitivityResult as Sensitivity } from '../sensitivity.ts'
import {
  besideWords,
  changeWords,
  foldedWords,
  meanIn,
  policyWords,
  quarantineWords,
  sensitivityWords,
  stretchWords,
  untriedWords,
  fastestFirst,
  marksOf,
  queueWords,
  searchWords,
  verdictWords,
} from '../sentences.ts'
import type { Effects } from '../verdict.ts'
import { folded, several } from '../../../server/terminal/text.ts'
import type { Look } from '../../../server/terminal/output.ts'
import { valueName } from '../axes.ts'

/** The differences between two settings, first that of the advised one from today's. */
export function toldDifferences(document: TuneDocument): Told[] {
  return [againstToday(document), besideIt(document), policies(document)].flatMap(
    (each) => each ?? [],
  )
}

/** How far the advice reaches. Nothing is told where nobody asked, or nothing was found. */
export function toldLimits(document: TuneDocument): Told[] {
  const { leastEffectPercent } = document.asked
  const { choice } = document.verdict
  const all: readonly Told[] = [
    sensitivity(document),
    stretches(document),
    {
      ...{ id: 'quarantine', title: 'Tests worth a quarantine' },
      about: `The flaky tests, each alone in quarantine with ${choice}: its failure alone fails no run. Worth it if that surely spares healthy pull requests, CI minutes or time, and lets nothing through that breaks it.`,
      words: quarantineWords(document),
    },
    {
      ...{ id: 'same', title: 'What makes no difference' },
      about: `These values, each set alone instead of the one of ${choice}, surely change time to land and CI minutes by less than ${leastEffectPercent} %, and are as safe.`,
      words: foldedWords(document),
    },
  ]
  return all.filter(({ table, words = [] }) => (table?.rows.length ?? 0) + words.length > 0)
}

/** Whether the advice is that of a season. */
function stretches({ stretches: all, verdict }: TuneDocument): Told {
  const name = verdict.kind === 'unsure' ? verdict.best : verdict.choice
  return {
    ...{ id: 'stretches', title: 'Stretch by stretch' },
    about: `The history in ${all.length} parts with about as many pull requests each. Taken apart, ${stretchWords(all)}. It is advised only if it is better in all of them but one: else it depends on the season.`,
    table: {
      head: [
        'stretch',
        right('days'),
        right('pull requests'),
        `${name}, instead of today's setting`,
      ],
      rows: all.map(({ days, pullRequests, isBetter }, index) => [
        ...[`${index + 1} of ${all.length}`, String(days), String(pullRequests)],
        isBetter ? 'better on average' : 'not better',
      ]),
    },
  }
}

/** If the advice is to keep today's setting, the table compares it with the best on average. */
function againstToday(document: TuneDocument): Told | null {
  const { settings, verdict, asked } = document
  const today = settings.find(({ isToday }) => isToday)
  const otherName = verdict.kind === 'change' ? verdict.choice : verdict.best
  const other = settings.find(({ name }) => name === otherName)
  if (!today || !other) return null
  const isBest = verdict.kind !== 'change'
  const price = 'No price is told, as none was given (--ci-price, --wait-price).'
  return {
    ...{ id: 'today', title: "Compared with today's setting" },
    ...comparison({
      ...{ document, one: { setting: today, title: 'today' } },
      other: { setting: other, title: isBest ? 'best on average' : 'advised' },
      effects: other === today ? null : (other.againstToday ?? {}),
      notes: asked.prices === null ? [price] : [],
    }),
    ...(other === today
      ? {}
      : { about: `${isBest ? 'The best on average' : 'Advised'} is ${other.name}.` }),
  }
}

/** What Mergeyard would have given. */
function besideIt(document: TuneDocument): Told | null {
  const { beside, settings, verdict } = document
  const choice = settings.find(({ name }) => name === verdict.choice)
  if (!beside || !choice) return null
  return {
    ...{ id: 'beside', title: 'Beside it: Mergeyard' },
    about: `Mergeyard with ${besideWords(beside)}.`,
    ...comparison({
      ...{ document, effects: beside.againstChoice },
      one: { setting: choice, title: choice.isToday ? 'today' : 'advised' },
      other: { setting: beside.setting, title: 'Mergeyard' },
    }),
  }
}

/** The best fixed setting and the adaptive policy. */
function policies(document: TuneDocument): Told | null {
  const { policies: both, settings } = document
  const adaptive = settings.find(({ name }) => name === both?.adaptive)
  const fixed = settings.find(({ name }) => name === both?.fixed)
  if (!both || !adaptive || !fixed) return null
  return {
    ...{ id: 'policies', title: 'Adaptive or fixed', about: policyWords(both, document) },
    ...comparison({
      ...{ document, effects: both.fixedAgainstAdaptive },
      one: { setting: adaptive, title: 'adaptive' },
      other: { setting: fixed, title: 'fixed' },
    }),
  }
}

type Compared = { readonly setting: SettingResult; readonly title: string }

type Comparison = {
  readonly document: TuneDocument
  readonly one: Compared
  readonly other: Compared
  /** Null: both are the same. */
  readonly effects: Effects | null
  readonly notes?: readonly string[]
}

/** The figures of two settings, with their differences. */
function comparison({
  document,
  one,
  other,
  effects,
  notes = [],
}: Comparison): Pick<Told, 'table' | 'words'> {
  const both = [one.setting, other.setting] as const
  const cell = ({ setting: { figures } }: Compared, name: FigureName): string =>
    cellText(figures[name]?.mean ?? null)
  const difference =
    document.verdict.kind === 'always' ? 'difference' : 'difference, with 95 % confidence interval'
  const rows = figureNames
    .filter((name) => stateOf(name, both) === 'told')
    .map((name) => [
      ...[titleOf(name), cell(one, name)],
      ...(effects ? [cell(other, name), changeWords(name, effects[name] ?? null)] : []),
    ])
  const head = ['figure', right(one.title), ...(effects ? [right(other.title), difference] : [])]
  return { table: { head, rows }, words: [...withoutRow(both, document), ...notes] }
}

/** Whether a figure has a row: not if it is zero, or unknown, with each of the settings. */
function stateOf(
  name: FigureName,
  settings: readonly SettingResult[],
): 'told' | 'zero' | 'unknown' {
  const means = settings.map((setting) => meanIn(setting, name))
  if (means.every((mean) => mean === null)) return 'unknown'
  return means.every((mean) => mean === 0) ? 'zero' : 'told'
}

/** The figures without a row, in words. */
function withoutRow(
  settings: readonly SettingResult[],
  { asked }: TuneDocument,
): readonly string[] {
  const namesOf = (state: 'zero' | 'unknown'): string[] =>
    figureNames
      .filter((name) => stateOf(name, settings) === state)
      .filter((name) => state === 'zero' || name !== 'price' || asked.prices !== null)
      .map((name) => alone[name] ?? figureTable[name].title)
  const [zero, unknown] = [namesOf('zero'), namesOf('unknown')]
  const which = settings[0] === settings[1] ? '' : ' with both'
  return [
    ...(zero.length === 0 ? [] : [`Zero${which} in every seed: ${zero.join('; ')}.`]),
    ...(unknown.length === 0 ? [] : [`Unknown, as nothing landed: ${unknown.join('; ')}.`]),
  ]
}

/** Titles that refer to the row above them, told without it. */
const alone: Partial<Record<FigureName, string>> = {
  midBatch: 'merged in the middle of a batch',
  clearedBySuccessor: 'cleared by a successor',
  disjointTargets: 'merged beside disjoint targets',
  direct: 'merged without a run',
}

/** Where nothing was decided, nothing was examined. */
function sensitivity(document: TuneDocument): Told {
  const { sensitivity: results } = document
  const found = results ?? []
  return {
    ...{ id: 'sensitivity', title: 'How far the advice holds' },
    about:
      found.length === 0
        ? 'The values of the scenario are taken as they are.'
        : 'One assumption moves at a time, the others stay. The one with the least margin comes first: measure it first.',
    table: sensitivityTable(found, sureWordsOf(document)),
    words: results ? untriedWords(document) : [],
  }
}

/** What is sure beside the lead on average: today's setting cannot lead over itself. */
function sureWordsOf({ verdict, asked }: TuneDocument): string {
  return verdict.kind === 'change'
    ? 'surely better than today'
    : `surely none better by ${figure(asked.leastEffectPercent)} %`
}

function sensitivityTable(results: readonly Sensitivity[], sure: string): Table<Cell> {
  return {
    head: [
      ...['assumption', right('here'), 'best on average', sure],
      ...[right('margin'), 'tried', 'beyond it'],
    ],
    rows: results.map((result): Cell[] => {
      const { name, here, from, surely, onAverage, tried, beyond } = sensitivityWords(result)
      const { today, times } = result
      // Nothing has no multiple.
      const multiple = today === 0 ? '-' : `${figure(times ?? 0)} times`
      return [
        ...[from === '' ? name : `${name}, ${from}`, { text: here, value: today }],
        ...[onAverage, surely],
        times === null ? 'none found' : { text: multiple, value: times },
        ...[tried, beyond],
      ]
    }),
    isSortable: true,
  }
}

/** The advice of a tune run for the terminal: the answer first, what it rests on last. */
export function tuneText(document: TuneDocument, look: Look): string {
  const { verdict, scenario, assumptions } = document
  const { colors, width } = look
  const read = (text: string): string => folded(text, width)
  const { title, reasons } = verdictWords(document)
  const answer = [
    `${scenario}${queueWords(document)}: ${colors.bold(title)}`,
    ...reasons.map((reason) => `  ${reason}`),
  ]
  const isEmpty = verdict.kind === 'empty'
  const basis = {
    id: 'model',
    title: 'Assumptions',
    words: [searchWords(document), ...assumptions],
  }
  return [
    read(`${answer.join('\n')}\n`),
    // What is copied from here stays as it is.
    ...(verdict.kind === 'change' && verdict.curl !== null ? [`${verdict.curl}\n`] : []),
    ...configurationText(document, colors),
    ...(isEmpty ? [] : toldDifferences(document)).map((told) => toldText(told, look)),
    ...(isEmpty ? [] : [read(tableOf(document, look))]),
    ...[...(isEmpty ? [] : toldLimits(document)), basis].map((told) => toldText(told, look)),
  ].join('\n')
}

/** The other product's own configuration. */
function configurationText({ configuration }: TuneDocument, colors: Colors): string[] {
  if (!configuration) return []
  const { target, text, apply, checked } = configuration
  const notes = [...apply, `checked against ${checked}`].map((line) => `  ${line}\n`)
  return [`${colors.bold(target)}\n${text}${notes.join('')}`]
}

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
  const numbers = [
    ...['to land p95, min', 'p95 of 80 % of seeds', 'CI minutes per landed'],
    ...(hasPrice ? ['price per landed'] : []),
    ...['healthy evicted', 'merged unproven', 'peak slots'],
  ]
  const head = ['', ...numbers.map(right), 'setting']
  const title = `${colors.bold('Settings of the final')}, means with 95 % intervals over ${several(seeds, 'seed')}`
  return `${title}\n${tableText({ head, rows }, width)}`
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
