/** What a tune run tells below its answer: the page shows all of it, and so does the terminal. */

import type { TableSection } from '../../../sim/html/table-section.ts'
import { type Cell, type Table, right } from '../../../sim/html/components.ts'
import { cellText, figure } from '../../statistics/effects.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, askedOf, figureNames, figureTable, titleOf } from '../figures.ts'
import { quarantineGoals } from '../quarantine.ts'
import type { SensitivityResult as Sensitivity } from '../sensitivity.ts'
import {
  changeWords,
  meanIn,
  sensitivityCells,
  settingIn,
  stretchWords,
  todayIn,
  untriedWords,
} from '../sentences.ts'
import type { Effects } from '../verdict.ts'

/** The differences between two settings, first that of the advised one from today's. */
export function differenceSections(document: TuneDocument): TableSection[] {
  return [...againstToday(document), ...besideIt(document), ...policies(document)]
}

/** How far the advice reaches. Nothing is said where nobody asked, or nothing was found. */
export function limitSections(document: TuneDocument): TableSection[] {
  const { leastEffectPercent } = document.asked
  const { choice } = document.verdict
  const all: readonly TableSection[] = [
    sensitivity(document),
    stretches(document),
    {
      id: 'quarantine',
      title: 'Tests worth a quarantine',
      about: `The flaky tests, each alone in quarantine with ${choice}: its failure alone fails no run. Worth it if that surely spares healthy pull requests, CI minutes or time, and lets nothing through that breaks it.`,
      words: quarantineWords(document),
    },
    {
      id: 'same',
      title: 'What makes no difference',
      about: `These values, each set alone instead of the one of ${choice}, surely change time to land and CI minutes by less than ${leastEffectPercent} %, and are as safe.`,
      words: foldedWords(document),
    },
  ]
  return all.filter(({ table, words = [] }) => (table?.rows.length ?? 0) + words.length > 0)
}

/** Whether the advice is that of a season. */
function stretches({ stretches: all, verdict }: TuneDocument): TableSection {
  const name = verdict.kind === 'unsure' ? verdict.best : verdict.choice
  return {
    id: 'stretches',
    title: 'Stretch by stretch',
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
function againstToday(document: TuneDocument): TableSection[] {
  const { verdict, asked } = document
  const isBest = verdict.kind !== 'change'
  const today = todayIn(document)
  const other = settingIn(document, isBest ? verdict.best : verdict.choice)
  const price = 'No price is shown, as none was given (--ci-price, --wait-price).'
  return comparison(document, {
    id: 'today',
    title: "Compared with today's setting",
    ...(other && other !== today
      ? { about: `${isBest ? 'The best on average' : 'Advised'} is ${other.name}.` }
      : {}),
    one: { setting: today, title: 'today' },
    other: { setting: other, title: isBest ? 'best on average' : 'advised' },
    effects: other === today ? null : (other?.againstToday ?? {}),
    notes: asked.prices === null ? [price] : [],
  })
}

/** What Mergeyard would have given. */
function besideIt(document: TuneDocument): TableSection[] {
  const { beside, verdict } = document
  if (!beside) return []
  const choice = settingIn(document, verdict.choice)
  const own = beside.setting.isToday ? 'the settings of the scenario' : beside.setting.name
  return comparison(document, {
    id: 'beside',
    title: 'Beside it: Mergeyard',
    about: `Mergeyard with ${own}: another queue, after a search of the same budget, on the same seeds.`,
    one: { setting: choice, title: choice?.isToday === true ? 'today' : 'advised' },
    other: { setting: beside.setting, title: 'Mergeyard' },
    effects: beside.againstChoice,
  })
}

/** The best fixed setting and the adaptive policy. */
function policies(document: TuneDocument): TableSection[] {
  const { asked, policies: both } = document
  if (!both) return []
  const { adaptive, fixed, better } = both
  const least = `${figure(asked.leastEffectPercent)} %`
  const [winner, loser] = better === 'fixed' ? [fixed, adaptive] : [adaptive, fixed]
  return comparison(document, {
    id: 'policies',
    title: 'Adaptive or fixed',
    about:
      better === null
        ? `Neither is surely better by more than ${least}: the best fixed setting, ${fixed}, and the adaptive policy at its best, ${adaptive}.`
        : `${better === 'fixed' ? 'The best fixed setting' : 'The adaptive policy at its best'}, ${winner}, is surely better by more than ${least} than ${loser}.`,
    one: { setting: settingIn(document, adaptive), title: 'adaptive' },
    other: { setting: settingIn(document, fixed), title: 'fixed' },
    effects: both.fixedAgainstAdaptive,
  })
}

type Compared = { readonly setting: SettingResult | undefined; readonly title: string }

type Comparison = Pick<TableSection, 'id' | 'title' | 'about'> & {
  readonly one: Compared
  readonly other: Compared
  /** Null: both are the same. */
  readonly effects: Effects | null
  readonly notes?: readonly string[]
}

/** The figures of two settings, with their differences; nothing without either. */
function comparison(
  document: TuneDocument,
  { one, other, effects, notes = [], ...named }: Comparison,
): TableSection[] {
  if (!one.setting || !other.setting) return []
  const both = [one.setting, other.setting] as const
  const cells = both.slice(0, effects ? 2 : 1)
  const difference =
    document.verdict.kind === 'always' ? 'difference' : 'difference, with 95 % confidence interval'
  const rows = figureNames
    .filter((name) => stateOf(name, both) === 'some')
    .map((name) => [
      titleOf(name),
      ...cells.map(({ figures }) => cellText(figures[name]?.mean ?? null)),
      ...(effects ? [changeWords(name, effects[name] ?? null)] : []),
    ])
  const head = ['figure', right(one.title), ...(effects ? [right(other.title), difference] : [])]
  return [{ ...named, table: { head, rows }, words: [...withoutRow(both, document), ...notes] }]
}

/** Whether a figure has a row: not if it is zero, or unknown, with each of the settings. */
function stateOf(
  name: FigureName,
  settings: readonly SettingResult[],
): 'some' | 'zero' | 'unknown' {
  const means = settings.map((setting) => meanIn(setting, name))
  if (means.every((mean) => mean === null)) return 'unknown'
  return means.every((mean) => mean === 0) ? 'zero' : 'some'
}

/** The figures without a row, in words. */
function withoutRow(
  settings: readonly SettingResult[],
  { asked }: TuneDocument,
): readonly string[] {
  const namesOf = (state: 'zero' | 'unknown'): string[] =>
    figureNames
      .filter((name) => stateOf(name, settings) === state)
      .filter((name) => state === 'zero' || askedOf([name], asked).length > 0)
      .map((name) => alone[name] ?? figureTable[name].title)
  const [zero, unknown] = [namesOf('zero'), namesOf('unknown')]
  const which = settings[0] === settings[1] ? '' : ' with both'
  return [
    ...(zero.length === 0 ? [] : [`Zero${which} in every seed: ${zero.join('; ')}.`]),
    ...(unknown.length === 0 ? [] : [`Unknown, as nothing landed: ${unknown.join('; ')}.`]),
  ]
}

/** Titles that refer to the row above them, written without it. */
const alone: Partial<Record<FigureName, string>> = {
  midBatch: 'merged in the middle of a batch',
  clearedBySuccessor: 'cleared by a successor',
  disjointTargets: 'merged beside disjoint targets',
  direct: 'merged without a run',
}

/** Where nothing was decided, nothing was examined. */
function sensitivity(document: TuneDocument): TableSection {
  const { sensitivity: results } = document
  const found = results ?? []
  return {
    id: 'sensitivity',
    title: 'How far the advice holds',
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
    rows: results.map(sensitivityCells),
    isSortable: true,
  }
}

/** Sentences about the axes whose values make no difference. */
function foldedWords({ axes }: TuneDocument): string[] {
  return axes.flatMap(({ title, unit, same, values }) => {
    if (same.length < 2) return []
    const which = same.length === values.length ? 'any of ' : ''
    return [`${title} ${which}${same.join(', ')}${unit === '' ? '' : ` ${unit}`}: no difference`]
  })
}

/** Which flaky tests would be worth a quarantine: a sentence for each. */
function quarantineWords({ quarantine }: TuneDocument): string[] {
  const { results, untried } = quarantine ?? { results: [], untried: [] }
  const words = results.map((result) => {
    const { test, verdict, breaksLetThrough, mergedByIt, isCatchKnown, againstChoice } = result
    const effects = quarantineGoals.map(
      (name) => `${figureTable[name].title}: ${changeWords(name, againstChoice[name] ?? null)}`,
    )
    const through = isCatchKnown
      ? `breaks let through: ${cellText(breaksLetThrough)}`
      : 'what only it would catch is not known, and assumed to be nothing'
    return `${test}: ${verdict}. ${effects.join('; ')}; ${through}; merged by it: ${cellText(mergedByIt)}.`
  })
  return [...words, ...untriedWords({ untried })]
}
