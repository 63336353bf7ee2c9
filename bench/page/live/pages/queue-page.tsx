/** The page of a queue: the answer first, then what is yours, the line, and the rest. */

import type { VNode } from 'preact'
import { Answer } from '../queue/answer.tsx'
import { Banners } from '../queue/banners.tsx'
import { Opening } from '../queue/opening.tsx'
import { Ended } from '../queue/ended.tsx'
import { WaitingTable } from '../queue/waiting.tsx'
import { Yours } from '../queue/yours.tsx'
import { TheLine } from '../line/the-line.tsx'
import { pageState } from '../model/watched-queue.ts'
import { TrendCards } from '../trends/trend-cards.tsx'
import { queueName } from '../pieces/queue-name.ts'

export function QueuePage(): VNode {
  const state = pageState.value
  if (!state) return <Opening />
  return (
    <>
      <h1 class="unseen">
        Queue <bdi>{queueName(state.queue)}</bdi>
      </h1>
      <Banners queue={state.queue} />
      <Answer state={state} />
      <Yours state={state} />
      <TheLine state={state} />
      <WaitingTable state={state} />
      <div class="halves">
        <Ended queue={state.queue.id} rows={state.ended} />
        <TrendCards queue={state.queue.id} />
      </div>
    </>
  )
}
