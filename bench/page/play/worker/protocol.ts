/** What the page and its worker say to each other. */

import type { ComparedFigures } from '../../../queues/figures.ts'
import type { Figures } from '../../../../sim/result/result-document.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import type { Film } from '../film/film.ts'

/** What the page wants to know. A newer request ends the work for the one before. */
export type PageRequest = {
  /** Counts up; answers carry it. */
  readonly id: number
  /**
   * The figures and the film; the figures with the hash of the trace; the other queues; or an end of
   * all work.
   */
  readonly wants: 'show' | 'hash' | 'others' | 'nothing'
  readonly scenario: Scenario
  /** Today's setting, to be shown beside it; null if nothing was changed. */
  readonly today: Scenario | null
}

export type Answer =
  | { readonly kind: 'figures'; readonly id: number; readonly figures: Figures }
  | { readonly kind: 'today'; readonly id: number; readonly figures: Figures }
  | { readonly kind: 'film'; readonly id: number; readonly film: Film }
  | { readonly kind: 'other'; readonly id: number; readonly other: OtherQueue }
  | { readonly kind: 'hashed'; readonly id: number; readonly figures: Figures }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string }

export type OtherQueue = {
  readonly name: string
  readonly about: string
  readonly isReference: boolean
  readonly figures: ComparedFigures
  /** How many queues there are, this one included. */
  readonly of: number
}
