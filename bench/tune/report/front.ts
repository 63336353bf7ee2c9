/** The section of speed against cost: a dot for each group of settings with the same figures. */

import { type Chart, chartForWideCard } from '../../../sim/html/chart.ts'
import type { Html } from '../../../sim/html/html.ts'
import { card, cards, key } from '../../../sim/html/pieces.ts'
import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import { type Dot, hasLogarithmicAxis, scatterChart } from '../../charts/scatter.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { meanIn } from '../sentences.ts'
import { type Alike, aboutSetting, alikeOf } from './settings.ts'

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
  if (seeds < fewestForInterval) return 'There are too few seeds for intervals.'
  return 'Lines are the 95 % confidence intervals of the settings on the front: those of the final to which no other one is more than 5 % better in both. Within 5 % two settings count as equally good: so little may be luck.'
}

async function frontOf(document: TuneDocument): Promise<Html> {
  const groups = alikeOf(document.settings, document)
  const dots = frontDots(groups, document)
  const picture = await chartForWideCard((size) => frontChart(dots, size))
  const found = new Set(groups.map(({ first }) => toneOf(first, document)))
  const about = hasLogarithmicAxis(dots)
    ? 'An axis is logarithmic if its values are far apart.'
    : null
  return cards([
    card({
      title: 'CI minutes against time to land',
      about,
      body: [key(order.filter((tone) => found.has(tone)).map((tone) => tones[tone])), picture],
      isWide: true,
    }),
  ])
}

function frontChart(dots: readonly Dot[], size: 'wide' | 'medium' | 'narrow'): Chart {
  return scatterChart(
    {
      name: 'CI minutes per landed pull request against p95 time to land, for every setting',
      x: 'CI minutes per landed pull request',
      y: 'time to land p95, minutes',
      dots,
    },
    size,
  )
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

function toneOf(setting: SettingResult, { settings }: TuneDocument): Tone {
  if (setting.role === 'searched') return 'dropped'
  const today = settings.find(({ isToday }) => isToday)
  const unproven = meanIn(setting, 'unproven') ?? 0
  if (unproven === 0) return 'none'
  return unproven > ((today && meanIn(today, 'unproven')) ?? 0) ? 'more' : 'fewer'
}
