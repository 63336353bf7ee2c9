/** The goals, in how many places the proposed setting meets them, and both as text for the terminal. */

import { centreOf, type Interval } from '../../../sim/statistics/interval.ts'
import { columns, several } from '../../../sim/terminal/text.ts'
import { cellText, figure } from '../../statistics/text.ts'
import { judgedMeasures, type JudgedMeasure, type JudgedPlace } from './judge-place.ts'

const goals = { p95: 2, ciMinutes: 1.1, evictedPercent: 0.5 } as const

type GoalName = keyof typeof goals

/** The value of a place that a goal is about: a ratio to the clairvoyant, or percent. */
export function valueOf({ judged }: JudgedPlace, goal: GoalName): number | null {
  const found: Interval | null =
    goal === 'evictedPercent' ? judged.evictedPercent : (judged.overClairvoyant[goal]?.size ?? null)
  return found && centreOf(found)
}

function meets(place: JudgedPlace, goal: GoalName): boolean {
  const value = valueOf(place, goal)
  return value !== null && value <= goals[goal]
}

/** In how many places nobody, somebody, or somebody who pays nothing for it, is surely better. */
export type FigureStanding = {
  readonly measure: JudgedMeasure
  readonly places: number
  readonly beaten: number
  /** Of those: by a queue that is surely worse in none of the other figures. */
  readonly beatenForNothing: number
  /** Where the mean of the proposed setting is not above that of any other queue. */
  readonly bestMean: number
}

export function standingsOf(places: readonly JudgedPlace[]): FigureStanding[] {
  return judgedMeasures.map((measure, at) => {
    const figures = places.flatMap(({ judged }) => judged.figures[at] ?? [])
    const beaten = figures.filter(({ better }) => better.length > 0)
    return {
      measure,
      places: figures.length,
      beaten: beaten.length,
      beatenForNothing: beaten.filter(({ better }) =>
        better.some(({ paysIn }) => paysIn.length === 0),
      ).length,
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

export function goalsText(places: readonly JudgedPlace[]): string {
  return `${columns([head, ...places.map(rowOf)], [3, 5, 6])}\n${standingText(places)}${goalText(places)}`
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
  ]
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
  const bad = places.reduce((sum, { judged }) => sum + judged.badMerged, 0)
  const broken = places.reduce((sum, { judged }) => sum + judged.brokenMainMinutes, 0)
  return `${met.join('')}${several(bad, 'bad pull request')} merged; main broken ${figure(broken)} min\n`
}
