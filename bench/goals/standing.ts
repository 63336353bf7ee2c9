/** The goals, and in how many places the proposed setting meets them. */

import { centreOf, type Interval } from '../../sim/statistics/interval.ts'
import type { LengthModel } from '../strategies/length-models.ts'
import { judgedMeasures, type Judged, type JudgedMeasure } from './judged.ts'

/** A place under one model of run length. */
export type JudgedPlace = {
  readonly scenario: string
  readonly lengths: LengthModel
  /** What the best setting of each other queue changes of its defaults. */
  readonly best: readonly { readonly strategy: string; readonly setting: string }[]
  readonly judged: Judged
}

export const goals = { p95: 2, ciMinutes: 1.1, evictedPercent: 0.5 } as const

export type GoalName = keyof typeof goals

/** The value of a place that a goal is about: a ratio to the clairvoyant, or percent. */
export function valueOf({ judged }: JudgedPlace, goal: GoalName): number | null {
  const found: Interval | null =
    goal === 'evictedPercent' ? judged.evictedPercent : (judged.overClairvoyant[goal]?.size ?? null)
  return found && centreOf(found)
}

export function meets(place: JudgedPlace, goal: GoalName): boolean {
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
