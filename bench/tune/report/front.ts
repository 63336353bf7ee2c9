/** The section of speed against cost: a dot for each group of settings with the same figures. */

import { type Html, type HtmlContent, html } from '../../../sim/html/html.ts'
import { type Cell, table, right } from '../../../sim/html/components.ts'
import { cellText, figure, linesAbout } from '../../statistics/effects.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, askedOf, figureTable, titleOf } from '../figures.ts'
import { fewFigures } from '../verdict.ts'
import { marksOf, meanIn, todayIn } from '../sentences.ts'
import { type Dot, scatterCard } from '../../charts/scatter.ts'

// Settings that look alike: the document says so, or all figures that the page shows are the same.

type Alike = {
  /** The one that stands for all: today's, else one with a mark, else the one of the document. */
  readonly first: SettingResult
  readonly others: readonly SettingResult[]
  /** What is special about any of them. */
  readonly marks: readonly string[]
}

/** Groups the settings in their order. Nothing is known of those in which nothing landed. */
export function alikeOf(settings: readonly SettingResult[], document: TuneDocument): Alike[] {
  const groups = new Map<string, SettingResult[]>()
  const byName = new Map(settings.map((setting) => [setting.name, setting]))
  for (const setting of settings) {
    const like = byName.get(setting.sameAs ?? '') ?? setting
    const look = looksOf(like)
    groups.set(look, [...(groups.get(look) ?? []), setting])
  }
  return [...groups.values()].flatMap((group) => {
    const marked = (setting: SettingResult): boolean => marksOf(setting, document).length > 0
    const first =
      group.find(({ isToday }) => isToday) ??
      group.find(marked) ??
      group.find(({ sameAs }) => sameAs === null) ??
      group[0]
    if (!first) return []
    const others = group.filter((setting) => setting !== first)
    const marks = [first, ...others].flatMap((setting) => marksOf(setting, document))
    return [{ first, others, marks: [...new Set(marks)] }]
  })
}

/** The same text for settings that cannot be told apart on the page. */
function looksOf(setting: SettingResult): string {
  const { name, role, seeds, figures } = setting
  if (meanIn(setting, 'p95') === null || seeds < 2) return `only ${name}`
  const shown = fewFigures.map((each: FigureName) => cellText(figures[each]?.mean ?? null))
  return JSON.stringify([role === 'searched', seeds, shown])
}

// The tooltip of a setting: its name and what judges it, one figure a line.

function aboutSetting(setting: SettingResult, others: readonly SettingResult[] = []): string {
  return [
    setting.name,
    ...(others.length === 0
      ? []
      : [`the same figures: ${others.map(({ name }) => name).join('; ')}`]),
    ...(['p95', 'ciMinutes', 'price', 'evicted'] as const).flatMap((name) =>
      figureLine(setting, name),
    ),
    `merged unproven: ${unprovenText(setting)}`,
    setting.role === 'searched'
      ? `left in the search, after ${setting.seeds} other seeds`
      : `means over ${setting.seeds} seeds`,
  ].join('\n')
}

function figureLine(setting: SettingResult, name: FigureName): string[] {
  const result = setting.figures[name]
  if (!result) return []
  const { title, unit } = figureTable[name]
  return [`${title}: ${cellText(result.mean)} ${unit}`.trimEnd()]
}

const kindsOfUnproven = [
  ['clearedBySuccessor', 'cleared by a successor'],
  ['midBatch', 'in the middle of a batch'],
  ['disjointTargets', 'beside disjoint targets'],
  ['direct', 'without a run'],
] as const

/** Formats as `257: cleared by a successor 200, in the middle of a batch 57`. */
function unprovenText(setting: SettingResult): string {
  const total = figure(meanIn(setting, 'unproven') ?? 0)
  const kinds = kindsOfUnproven.flatMap(([name, words]) => {
    const mean = meanIn(setting, name) ?? 0
    return mean === 0 ? [] : [`${words} ${figure(mean)}`]
  })
  return kinds.length === 0 ? total : `${total}: ${kinds.join(', ')}`
}

// Settings in a table. Those that look alike share a row.

export function settingsTable(
  groups: readonly Alike[],
  name: string,
  { asked }: TuneDocument,
): Html {
  const shown = askedOf(['p95', 'ciMinutes', 'price', 'evicted', 'broken'], asked)
  const head = [
    'setting',
    right('seeds'),
    ...shown.map((each) => right(titleOf(each))),
    figureTable.unproven.title,
  ]
  const rows = groups.map((group) => [
    nameOf(group),
    sortable(group.first.seeds, String(group.first.seeds)),
    ...shown.map((each) => figureCell(group.first, each)),
    sortable(meanIn(group.first, 'unproven'), unprovenText(group.first)),
  ])
  return table({ head, rows, isSortable: true }, name)
}

function nameOf({ first: { name }, others, marks }: Alike): HtmlContent {
  const words = marks.filter((mark) => name !== "today's setting" || mark !== 'today').join(', ')
  return html`${name}${words === '' ? null : html` <strong>(${words})</strong>`}
  ${
    others.length === 0
      ? null
      : html`<div class="soft">
          the same figures: ${others.map((each) => each.name).join('; ')}
        </div>`
  }`
}

function figureCell(setting: SettingResult, name: FigureName): Cell {
  return sortable(meanIn(setting, name), cellText(setting.figures[name]?.mean ?? null))
}

function sortable(value: number | null, text: string): Cell {
  return value === null ? text : { text, value }
}

// The chart of CI minutes against time to land. A larger dot evicts more healthy pull requests, and
// the colour tells how many merges are unproven.

/** The colours of the dots, in drawing order: the most important dots are on top. */
const tones = {
  dropped: { color: 'waiting', means: 'left in the search, after a few other seeds' },
  more: { color: 'series-2', means: "more unproven merges than today's" },
  fewer: { color: 'series-1', means: "no more unproven merges than today's" },
  none: { color: 'series-3', means: 'no unproven merges' },
} as const

type Tone = keyof typeof tones

const order: readonly Tone[] = ['dropped', 'more', 'fewer', 'none']

export async function frontSection(document: TuneDocument) {
  return {
    id: 'front',
    title: 'Speed against cost',
    about: `Further left is cheaper, further down is faster, a smaller dot evicts fewer healthy pull requests. Settings with the same figures share a dot; its tooltip has the figures, as has the table of every setting. ${linesWords(document)}`,
    body: await frontOf(document),
  }
}

/** What the lines of the chart are, if it has any. */
function linesWords({ verdict, seeds }: TuneDocument): string {
  if (verdict.kind === 'always') return 'Nothing is drawn, so no setting has an interval.'
  return linesAbout(
    seeds,
    'Lines are the 95 % confidence intervals of the settings on the front: those of the final to which no other one is more than 5 % better in both. Within 5 % two settings count as equally good: so little may be luck.',
  )
}

function frontOf(document: TuneDocument): Promise<Html> {
  const groups = alikeOf(document.settings, document)
  const found = new Set(groups.map(({ first }) => toneOf(first, document)))
  const legend = order.filter((tone) => found.has(tone)).map((tone) => tones[tone])
  return scatterCard('CI minutes against time to land', legend, {
    name: 'CI minutes per landed pull request against p95 time to land, for every setting',
    x: 'CI minutes per landed pull request',
    y: 'time to land p95, minutes',
    dots: frontDots(groups, document),
  })
}

/** A dot for each group of settings with which something landed; those with a name are on top. */
function frontDots(groups: readonly Alike[], document: TuneDocument): Dot[] {
  const position = ({ first, marks }: Alike): number =>
    order.indexOf(toneOf(first, document)) + (marks.length > 0 ? order.length : 0)
  return groups
    .toSorted((a, b) => position(a) - position(b))
    .flatMap((group) => dotOf(group, document))
}

function dotOf({ first, others, marks }: Alike, document: TuneDocument): Dot[] {
  const { ciMinutes, p95 } = first.figures
  if (!ciMinutes || !p95) return []
  return [
    {
      x: ciMinutes.mean,
      y: p95.mean,
      weight: meanIn(first, 'evicted') ?? 0,
      color: tones[toneOf(first, document)].color,
      label: marks.join(', '),
      about: aboutSetting(first, others),
      isRinged: marks.length > 0,
      hasLines: isOn(first, document),
    },
  ]
}

/** Two settings that are this close are equally good. */
const slack = 1.05

/** True if no other setting of the final is cheaper and faster by more than the slack. */
function isOn(setting: SettingResult, { settings }: TuneDocument): boolean {
  const at = (each: SettingResult): [number, number] => [
    meanIn(each, 'ciMinutes') ?? Infinity,
    meanIn(each, 'p95') ?? Infinity,
  ]
  const [x, y] = at(setting)
  return (
    setting.role !== 'searched' &&
    !settings.some((other) => {
      const [otherX, otherY] = at(other)
      return other.role !== 'searched' && otherX * slack < x && otherY * slack < y
    })
  )
}

function toneOf(setting: SettingResult, document: TuneDocument): Tone {
  if (setting.role === 'searched') return 'dropped'
  const today = todayIn(document)
  const unproven = meanIn(setting, 'unproven') ?? 0
  if (unproven === 0) return 'none'
  return unproven > ((today && meanIn(today, 'unproven')) ?? 0) ? 'more' : 'fewer'
}
