/**
 * The result document of a tune run. It holds no wall-clock time and no path, so fixed seeds give
 * the same bytes.
 */

import type { OtherQueueName, QueueConfiguration } from '../queues/queue.ts'
import type { Prices } from '../../sim/result/price.ts'
import type { Assignments } from './settings/axes.ts'
import type { EffectResult, FigureResult } from './final/results.ts'
import type { FigureName } from './figures/figures.ts'
import type { Preference } from './figures/wishes.ts'
import type { UnprovenKind } from './settings/unproven.ts'

export type TuneDocument = {
  readonly scenario: string
  readonly description: string | null
  readonly assumptions: readonly string[]
  /** What the command asked for. */
  readonly asked: AskedResult
  readonly axes: readonly AxisResult[]
  readonly search: SearchResult
  /** The number of seeds of the final. */
  readonly seeds: number
  readonly verdict: VerdictResult
  /** The configuration that sets the choice, if it is another product's queue that changes. */
  readonly configuration: QueueConfiguration | null
  /** What Mergeyard would have given, if the queue is another product's. */
  readonly beside: BesideResult | null
  /** Settings by what they are best at, among those of the final. */
  readonly named: NamedResult
  /** All simulated settings: those of the final first, then by the rung that they reached. */
  readonly settings: readonly SettingResult[]
  /** How far each made-up assumption may move; null if it was not tried. */
  readonly sensitivity: readonly SensitivityResult[] | null
}

type AskedResult = {
  /** The queue whose settings are searched: the real engine, or a model of another product. */
  readonly queue: 'mergeyard' | OtherQueueName
  readonly preference: { readonly name: Preference; readonly means: string }
  readonly allowedUnproven: readonly UnprovenKind[]
  /** An effect below this size is no reason to change, in percent. */
  readonly leastEffectPercent: number
  /** Null if no price was given. */
  readonly prices: Prices | null
  /** When a healthy pull request that was evicted comes again; null if it does not. */
  readonly resubmitAfterMinutes: number | null
}

export type AxisResult = {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly values: readonly string[]
  /** The value of today's setting and of the choice; null if the axis has no such value. */
  readonly today: string | null
  readonly choice: string | null
  /** The values that make no difference from the choice's, itself included; the others are equal. */
  readonly same: readonly string[]
}

type SearchResult = {
  /** The budget as the command names it, and the events that it stands for. */
  readonly budget: string
  readonly budgetEvents: number
  /** The combinations of the axes, and how many of them were simulated. */
  readonly combinations: number
  readonly simulated: number
  readonly rungs: readonly RungResult[]
  /** All simulated events and runs, with those of the final. */
  readonly events: number
  readonly runs: number
}

type RungResult = {
  readonly settings: number
  /** The seeds of each setting, with those of the rungs before. */
  readonly seeds: number
}

export type SettingResult = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly set: Assignments
  readonly isToday: boolean
  /**
   * `finalist`: compared with today's in the final. `around`: differs from the choice on one axis, on the same seeds as
   * the final. `searched`: left in the search; its seeds are others, and few.
   */
  readonly role: 'finalist' | 'around' | 'searched'
  /** The last rung that it reached, from 1; 0 if it joined after the search. */
  readonly rung: number
  /** True if its runs cost too much more than today's: it does not keep up. */
  readonly isTooSlow: boolean
  /** True if main is broken for surely longer than with today's. Such a setting is not advised. */
  readonly breaksMain: boolean
  readonly seeds: number
  readonly figures: Readonly<Record<FigureName, FigureResult | null>>
  /** Compared with today's on the same seeds; null for today's, and for those left in the search. */
  readonly againstToday: Readonly<Record<FigureName, EffectResult | null>> | null
}

/** The best setting of Mergeyard after a search of the same budget, on the same seeds. */
export type BesideResult = {
  /** The kind of the verdict on Mergeyard's own settings. */
  readonly verdict: VerdictResult['kind']
  /** Compared with the choice, not with today's: `againstToday` is null. */
  readonly setting: SettingResult
  readonly againstChoice: Readonly<Record<FigureName, EffectResult | null>> | null
}

/** Only `change` has a command. */
export type VerdictResult =
  | (ChosenResult & {
      readonly kind: 'change'
      /** The command that sets it; null if no setting of the queue changes. */
      readonly curl: string | null
      /** `better`, or today's setting is one that `--allow-unproven` forbids. */
      readonly because: 'better' | 'today is not allowed'
    })
  /** No setting is better by the least effect. */
  | (ChosenResult & { readonly kind: 'keep' })
  /** `best` may be better; `moreSeeds` would tell, null if more than could be run. */
  | (ChosenResult & { readonly kind: 'unsure'; readonly moreSeeds: number | null })
  /** Nobody waits. */
  | (ChosenResult & {
      readonly kind: 'idle'
      readonly queueP95: number
      readonly runP95: number
      readonly peakSlots: number
      readonly concurrency: number
    })
  /** Nothing lands. */
  | (ChosenResult & { readonly kind: 'empty' })
  /** Every seed gives the same figures. */
  | (ChosenResult & { readonly kind: 'always' })

type ChosenResult = {
  /** The advised setting; today's unless the kind is `change`. */
  readonly choice: string
  /** The setting with the best score. */
  readonly best: string
  /** Settings that cannot be told from the best, without the choice. */
  readonly tied: readonly string[]
}

/** Names of settings. */
export type NamedResult = {
  readonly safest: string
  readonly cheapest: string
  readonly fastest: string
}

/** One assumption that was made up or drawn, and the range in which the advice stays. */
type SensitivityResult = {
  readonly name: string
  readonly unit: string
  readonly today: number
  /** The values that were tried. */
  readonly tried: readonly number[]
  /** Where the lead over today's setting is sure, and no other setting leads on average. */
  readonly surely: AssumedRange
  readonly onAverage: AssumedRange
  /** False if a history tells it. */
  readonly isMadeUp: boolean
  /** The settings that take over at the ends of `onAverage`; null where it has no end. */
  readonly beyond: { readonly low: string | null; readonly high: string | null }
  /** How many times as much or as little the nearest end of `onAverage` is; null without an end. */
  readonly times: number | null
}

/** An end that is null is beyond all values that were tried. */
type AssumedRange = { readonly low: number | null; readonly high: number | null }
