/** The section about how far the advice holds. */

import { type Chart, chartForWideCard, color, tooltip } from '../../../sim/html/chart.ts'
import { type Html, type HtmlContent, html } from '../../../sim/html/html.ts'
import { card, cards, key, table } from '../../../sim/html/pieces.ts'
import { figure } from '../../statistics/text.ts'
import type { TuneDocument } from '../document.ts'
import type { SensitivityResult as Sensitivity } from '../sensitivity.ts'
import { assumedRange, assumedValue, hereWords, untriedWords } from '../sentences.ts'

/** Returns no section where nothing was decided. */
export async function sensitivitySections(document: TuneDocument) {
  const { sensitivity } = document
  const missing = untriedWords(document)
  if (!sensitivity || (sensitivity.length === 0 && missing.length === 0)) return []
  return [
    {
      id: 'sensitivity',
      title: 'How far the advice holds',
      about:
        sensitivity.length === 0
          ? 'The values of the scenario are taken as they are.'
          : 'One assumption moves at a time, the others stay. Each has a logarithmic axis of its own. The one with the least margin comes first: measure it first.',
      body: html`${sensitivity.length === 0 ? null : await examinedPart(sensitivity, sureWordsOf(document))}
      ${missing.map((words) => html`<p>${words}</p>`)}`,
    },
  ]
}

/** What is sure beside the lead on average: today's setting cannot lead over itself. */
function sureWordsOf({ verdict, asked }: TuneDocument): string {
  return verdict.kind === 'change'
    ? 'surely better than today'
    : `surely none better by ${figure(asked.leastEffectPercent)} %`
}

async function examinedPart(sensitivity: readonly Sensitivity[], sure: string): Promise<Html> {
  const entries = { ...ranges, surely: { ...ranges.surely, means: `and ${sure}` } }
  const picture = await chartForWideCard((size) => rangeChart(sensitivity, { size, sure }))
  return html`${cards([
    card({ title: 'Ranges', body: [key(Object.values(entries)), picture], isWide: true }),
  ])}
  ${numbers(sensitivity, sure)}`
}

function numbers(results: readonly Sensitivity[], sure: string): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'assumption' },
    { title: 'here', ...right },
    { title: 'best on average' },
    { title: sure },
    { title: 'margin', ...right },
    { title: 'tried' },
    { title: 'beyond it' },
  ]
  const rows = results.map((result) => {
    const { name, unit, tried, isMadeUp, onAverage, surely } = result
    return [
      isMadeUp ? name : `${name}, from the history`,
      html`<data value="${result.today}">${hereWords(result)}</data>`,
      assumedRange(onAverage, unit),
      assumedRange(surely, unit),
      marginOf(result),
      `${figure(Math.min(...tried))} to ${assumedValue(Math.max(...tried), unit)}`,
      beyondWords(result),
    ]
  })
  return table(head, rows, { name: 'How far the advice holds', isSortable: true })
}

/** Nothing has no multiple. */
function marginOf({ times, today }: Sensitivity): HtmlContent {
  if (times === null) return 'none found'
  return html`<data value="${times}">${today === 0 ? '-' : `${figure(times)} times`}</data>`
}

/** Which setting takes over at an end of the range. */
function beyondWords({ beyond, onAverage, unit }: Sensitivity): string {
  const sides = [
    ['below', beyond.low, onAverage.low],
    ['above', beyond.high, onAverage.high],
  ] as const
  return sides
    .flatMap(([side, name, at]) =>
      name === null || at === null ? [] : [`${side} ${assumedValue(at, unit)}: ${name}`],
    )
    .join('; ')
}

// The ranges in which the advice holds, each on a logarithmic axis of its own.

/** The colours of the ranges, from the widest to the narrowest. */
const ranges = {
  tried: { color: 'line', means: 'tried' },
  onAverage: { color: 'series-1', means: 'the advice is the best on average' },
  surely: { color: 'good', means: 'and surely better than today' },
  today: { color: 'ink', means: "today's value" },
} as const

const sizes = { wide: { width: 1100 }, medium: { width: 680 }, narrow: { width: 300 } } as const

/** The height of a row, and the distance from its top to its bar. */
const row = { height: 62, bar: 30, title: 10, ticks: 48 } as const

type RangeOptions = {
  readonly size: keyof typeof sizes
  /** What is sure, beside the lead on average. */
  readonly sure: string
}

function rangeChart(results: readonly Sensitivity[], { size, sure }: RangeOptions): Chart {
  const { width } = sizes[size]
  const pixels = { type: 'quantitative', scale: null, axis: null } as const
  const bars = results.flatMap((result, index) =>
    barsOf(result, { top: row.height * index, width, sure }),
  )
  const titles = results.map((result, index) => ({
    x: 0,
    y: row.height * index + row.title,
    text: `${result.name}: here ${hereWords(result)}`,
  }))
  const ticks = results.flatMap((result, index) => {
    const y = row.height * index + row.ticks
    return ticksOf(result, width).map((tick) => ({ ...tick, y }))
  })
  const text = (values: readonly object[], paint: string): Chart['layer'][number] => ({
    data: { values: [...values] },
    mark: { type: 'text', align: 'left', baseline: 'middle', color: color(paint), limit: 0 },
    encoding: { text: { field: 'text' } },
  })
  return {
    name: 'The ranges of the assumptions in which the advice holds',
    width,
    height: row.height * results.length,
    rows: bars,
    encoding: { x: { field: 'x', ...pixels }, y: { field: 'y', ...pixels } },
    layer: [
      {
        mark: { type: 'rect', aria: true },
        encoding: {
          x2: { field: 'x2' },
          y2: { field: 'y2' },
          color: { field: 'color', type: 'nominal', scale: null },
          ...tooltip,
        },
      },
      text(titles, 'ink'),
      text(ticks, 'soft'),
    ],
  }
}

/** The half height of a bar. */
const half = { tried: 2, onAverage: 5, surely: 5, today: 11 } as const

type Bars = { readonly top: number; readonly width: number; readonly sure: string }

function barsOf(result: Sensitivity, { top, width, sure }: Bars): object[] {
  const { tried, today, unit } = result
  const at = positionIn(result, width)
  const [least, most] = [Math.min(...tried, today), Math.max(...tried, today)]
  const bar = (kind: keyof typeof ranges, low: number, high: number, words: string): object => ({
    ...{ x: low, x2: high, y: top + row.bar - half[kind], y2: top + row.bar + half[kind] },
    color: color(ranges[kind].color),
    about: `${result.name}: ${words}`,
  })
  const held = (kind: 'onAverage' | 'surely', words: string): object => {
    const { low, high } = result[kind]
    return bar(
      kind,
      at(low ?? least),
      at(high ?? most),
      `${words} ${assumedRange(result[kind], unit)}`,
    )
  }
  return [
    bar('tried', at(least), at(most), `tried from ${figure(least)} to ${figure(most)}`),
    held('onAverage', 'the best on average'),
    held('surely', sure),
    bar('today', at(today) - 1.5, at(today) + 1.5, `today ${hereWords(result)}`),
  ]
}

/** A logarithm has no zero: it is drawn half as far down as the least other value. */
function positionIn({ tried, today }: Sensitivity, width: number): (value: number) => number {
  const values = [...tried, today]
  const least = Math.min(...values.filter((value) => value > 0))
  const low = values.includes(0) ? least / 2 : least
  const high = Math.max(...values)
  return (value) =>
    high > low ? (width * Math.log(Math.max(low, value) / low)) / Math.log(high / low) : width / 2
}

/** Wide enough for a letter of a tick, and the space between two ticks. */
const letter = 6.5
const space = 6

type Tick = { readonly x: number; readonly end: number; readonly text: string }

/** The values that matter most have a label first: today's, the limits, the ends of the axis. */
function ticksOf(result: Sensitivity, width: number): Tick[] {
  const { tried, today, onAverage, surely } = result
  const at = positionIn(result, width)
  const wanted = [
    ...[today, onAverage.low, onAverage.high, surely.low, surely.high],
    ...[Math.min(...tried), Math.max(...tried), ...tried],
  ]
  const placed: Tick[] = []
  for (const value of wanted) {
    if (value === null) continue
    const text = figure(value)
    const length = letter * text.length
    const x = Math.min(width - length, Math.max(0, at(value) - length / 2))
    const isFree = placed.every((tick) => x > tick.end + space || x + length < tick.x - space)
    if (isFree) placed.push({ x, end: x + length, text })
  }
  return placed
}
