/** What a tune run tells below its answer: the page shows all of it, and so does the terminal. */

import type { Cell, Told, ToldTable } from '../../../sim/html/told.ts'
import { right } from '../../../sim/html/pieces.ts'
import { cellText, figure } from '../../statistics/text.ts'
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
} from '../sentences.ts'
import type { Effects } from '../verdict.ts'

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

function sensitivityTable(results: readonly Sensitivity[], sure: string): ToldTable {
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
