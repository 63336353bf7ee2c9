/** What each audience sees of a queue. */

import type { PullRequestView } from '../../engine/index.ts'
import type { TestCases } from '../history/test-cases.ts'
import type { TimelineStep } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Audience } from './audience.ts'
import { memberEnded, publicEnded } from './ended.ts'
import { flakyTests } from './flaky-tests.ts'
import type { EndedRow, FlakyTestRow, QueueHead, Row } from './frame.ts'
import type { PublicEnded, PublicHead, PublicRow, UnnamedStep } from './public-view.ts'
import { memberHead, publicHead, type HeadParts } from './queue-head.ts'
import { memberRow, publicRow, type EstimateOf } from './rows.ts'
import { memberStep, publicStep } from './step-text.ts'

export type View = {
  readonly head: (queue: ManagedQueue, parts: HeadParts) => QueueHead
  readonly row: (queue: ManagedQueue, pullRequest: PullRequestView, estimateOf: EstimateOf) => Row
  /** Null if it is in the queue. */
  readonly ended: (queue: ManagedQueue, pullRequest: PullRequestView) => EndedRow | null
  /** A step as one sentence. */
  readonly step: (step: TimelineStep) => string
  readonly flakyTests: (queue: ManagedQueue, testCases: TestCases) => readonly FlakyTestRow[]
}

export type PublicView = {
  readonly head: (...given: Parameters<View['head']>) => PublicHead
  readonly row: (...given: Parameters<View['row']>) => PublicRow
  readonly ended: (...given: Parameters<View['ended']>) => PublicEnded | null
  readonly step: (step: UnnamedStep) => string
  readonly flakyTests: () => readonly []
}

const memberView: View = {
  head: memberHead,
  row: memberRow,
  ended: memberEnded,
  step: memberStep,
  flakyTests,
}

const publicView: PublicView = {
  head: publicHead,
  row: publicRow,
  ended: publicEnded,
  step: publicStep,
  flakyTests: () => [],
}

export const views: Readonly<Record<Audience, View>> = { member: memberView, public: publicView }
