/**
 * How each state looks: a word, a mark of its own shape and a colour, so that nobody needs the colour. A shape differs
 * from all others also without its colour.
 */

import type { ComponentChildren, VNode } from 'preact'
import type { PullRequestState } from '../../../../engine/index.ts'
import type { GroupRow, Row } from '../../frame.ts'

const disc = <circle class="mark-fill" cx="8" cy="8" r="7" />
const ring = <circle cx="8" cy="8" r="6" />

type Meaning = { readonly word: string; readonly means: string; readonly shape: ComponentChildren }

export const looks = {
  'not-ready': {
    word: 'not ready',
    means: 'submitted, but something is missing before it may start',
    shape: <circle cx="8" cy="8" r="6" stroke-dasharray="2 2.7" />,
  },
  waiting: {
    word: 'waiting',
    means: 'has its place and waits for a slot or a batch',
    shape: ring,
  },
  testing: {
    word: 'testing',
    means: 'its tests run',
    shape: <path class="mark-fill" d="M4 2.5v11l9.5-5.5z" />,
  },
  passed: {
    word: 'passed',
    means: 'its tests passed; it merges when those before it have',
    shape: [ring, <path d="m5 8.2 2.2 2.3L11 5.8" />],
  },
  held: {
    word: 'held',
    means: 'its tests failed; the groups behind are awaited before that counts',
    shape: <path d="M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12" />,
  },
  bisecting: {
    word: 'bisecting',
    means: 'its batch failed, and parts of it are tested',
    shape: <path d="M8 15V9M8 9 3 5V1.5M8 9l5-4V1.5M1 3.5l2-2 2 2M11 3.5l2-2 2 2" />,
  },
  merged: {
    word: 'merged',
    means: 'is on the branch',
    shape: [disc, <path class="mark-cut" d="m4.6 8.2 2.5 2.6 4.4-5.3" />],
  },
  failed: {
    word: 'failed',
    means: 'breaks the tests, and has left the queue',
    shape: [
      <path class="mark-fill" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />,
      <path class="mark-cut" d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" />,
    ],
  },
  conflicted: {
    word: 'conflict',
    means: 'cannot be built on top of those before it',
    shape: <path d="M8 1.8 15 14H1zM8 6v4M8 11.6v.6" />,
  },
  lost: {
    word: 'lost run',
    means: 'a run without a verdict; it is repeated',
    shape: <path d="M13.5 6A6 6 0 1 0 14 8.5M14 2.5V6h-3.5" />,
  },
  cancelled: {
    word: 'cancelled',
    means: 'was taken out, or a run that nobody needs any more',
    shape: [ring, <path d="M4 12 12 4" />],
  },
} as const satisfies Readonly<Record<string, Meaning>>

export type Look = keyof typeof looks

export const isLook = (name: string): name is Look => name in looks

/** Only for the eye: its word must stand beside it. */
export function Mark({ look }: { look: Look }): VNode {
  return (
    <svg class={`mark is-${look}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {looks[look].shape}
    </svg>
  )
}

/** The mark and the word of a state. */
export function StateWord({ look }: { look: Look }): VNode {
  return (
    <span class={`state is-${look}`}>
      <Mark look={look} />
      {looks[look].word}
    </span>
  )
}

const ofStates: Readonly<Record<PullRequestState, Look>> = {
  NOT_READY: 'not-ready',
  PENDING: 'waiting',
  TESTING: 'testing',
  TESTS_PASSED: 'passed',
  PENDING_FAILURE: 'held',
  MERGED: 'merged',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

/** The look of a pull request. In a bisection it is bisecting, whatever its state. */
export function lookOf({ state, isBisected }: Pick<Row, 'state' | 'isBisected'>): Look {
  return isBisected ? 'bisecting' : ofStates[state]
}

/** The look of a group. The phase has the same word as the look, except that a failed group is held. */
export function groupLook({ phase }: Pick<GroupRow, 'phase'>): Look {
  return phase === 'failed' ? 'held' : phase
}

const ofOutcomes = {
  passed: 'passed',
  failed: 'failed',
  timed_out: 'failed',
  errored: 'lost',
  cancelled: 'cancelled',
} as const

export function runLook({ outcome }: { outcome: keyof typeof ofOutcomes | null }): Look {
  return outcome === null ? 'testing' : ofOutcomes[outcome]
}
