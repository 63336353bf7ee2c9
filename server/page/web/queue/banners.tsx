/** What the reader must know before anything else: the state of the queue, its faults, a dead stream. */

import type { ComponentChildren, VNode } from 'preact'
import type { QueueHead } from '../../frame.ts'
import { clockWithSeconds } from '../components/time-words.ts'
import { capitalized } from '../model/ask.ts'
import { mayAdminister } from '../model/session.ts'
import { liveness, pageState } from '../model/watched-queue.ts'
import { Ask, At, Foreign } from '../texts/texts.tsx'
import { queueStates } from '../state/consequences.ts'

export function Banners({ queue }: { queue: QueueHead }): VNode {
  return (
    <>
      <NotLive />
      {queue.state !== 'RUNNING' && <StateBanner queue={queue} />}
      {queue.faults.map((fault) => (
        <Banner kind="bad" key={fault}>
          <b>Not ready.</b> <Foreign text={fault} />
        </Banner>
      ))}
    </>
  )
}

function NotLive(): VNode | null {
  const now = liveness.value
  if (now.kind !== 'lost') return null
  return (
    <Banner kind="bad">
      <b>Not live since {clockWithSeconds(now.since)}.</b> <Foreign text={now.why} />{' '}
      {pageState.value === null
        ? 'This page tries again by itself.'
        : 'This page shows what was known then, and goes on by itself.'}
    </Banner>
  )
}

function StateBanner({ queue }: { queue: QueueHead }): VNode {
  const { word, means } = queueStates[queue.state]
  return (
    <Banner kind="warn">
      <b>
        {capitalized(word)}
        {queue.stateBy !== null && (
          <>
            {' '}
            by <Foreign text={queue.stateBy} />
          </>
        )}
        {queue.stateSince !== null && (
          <>
            {' '}
            since <At instant={queue.stateSince} />
          </>
        )}
        .
      </b>{' '}
      {means}
      {mayAdminister.value && queue.state !== 'SWITCHING_MODES' && (
        <Ask about={{ about: 'queue', action: 'resume' }}>Resume…</Ask>
      )}
    </Banner>
  )
}

type BannerProps = { kind: 'bad' | 'warn'; children: ComponentChildren }

function Banner({ kind, children }: BannerProps): VNode {
  return <div class={`banner sheet row is-${kind}`}>{children}</div>
}

// What the page shows before the first frame, or if there will be none.

export function Opening(): VNode {
  if (liveness.value.kind === 'missing') {
    return (
      <>
        <h1>No such queue</h1>
        <p>
          It does not exist, or your token may not see it. <a href="/">All queues</a>
        </p>
      </>
    )
  }
  return liveness.value.kind === 'lost' ? <NotLive /> : <p class="soft">Loading…</p>
}
