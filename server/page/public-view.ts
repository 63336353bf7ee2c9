/**
 * What strangers see when the operator shows the page to everybody. The types are those of members in
 * which each field that is for members only is empty or `never`, so the compiler refuses to fill it.
 */

import type { PullRequestView, QueueView } from '../../engine/index.ts'
import type { TimelineStep } from '../history/timeline.ts'
import type { EndedRow, QueueHead, Row, RunRow } from './frame.ts'

/** Faults can name branches and paths. */
export type PublicHead = QueueHead & { readonly stateBy: null; readonly faults: readonly [] }

export type PublicRow = Row & { readonly member?: never }

export type PublicEnded = EndedRow & { readonly member?: never }

export type PublicRun = RunRow & { readonly url?: never }

/** What sentences for strangers are made of: no test, no person, no title. */
export type UnnamedStep = Omit<TimelineStep, 'by'>

export type UnnamedPullRequest = Omit<PullRequestView, 'evidence'> & {
  readonly evidence: Pick<NonNullable<PullRequestView['evidence']>, 'passedWithout'> | null
}

export type UnnamedQueue = Pick<
  QueueView,
  'line' | 'groups' | 'bisections' | 'state' | 'configuration' | 'slots' | 'testRuns' | 'tipTest'
>

/** For whom a view is made: the public view has no title, person, test, link or ticket. */
export type Audience = 'member' | 'public'
