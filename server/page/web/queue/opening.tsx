/** What the page shows before the first frame, or if there will be none. */

import type { VNode } from 'preact'
import { liveness } from '../model/watched-queue.ts'
import { NotLive } from './banners.tsx'

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
