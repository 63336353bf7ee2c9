/** The standing of the proposed setting as a table and sentences for the terminal. */

import { columns, several } from '../../sim/terminal/text.ts'
import { cellText, figure } from '../statistics/text.ts'
import { goals, meets, standingsOf, valueOf, type GoalName, type JudgedPlace } from './standing.ts'

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
