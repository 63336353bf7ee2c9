/** A run: how long it has lasted, beside how long such runs take. */

import type { VNode } from 'preact'
import type { RunRow } from '../../../../server/page/frame.ts'
import { lasting, lastingMinutes } from '../../parts/clock-words.ts'
import { serverNow } from '../model/server-clock.ts'
import { RunName } from '../pieces/texts.tsx'

const minute = 60_000

export function RunBar({ run }: { run: RunRow }): VNode {
  const elapsed = Math.max(0, serverNow.value - Date.parse(run.startedAt))
  // Runs of less than a second are those of a test: nobody compares with them.
  const expected = (run.expectedMinutes ?? 0) * minute < 1000 ? null : run.expectedMinutes
  const share = expected === null ? null : elapsed / (expected * minute)
  const isLong = share !== null && share > 1
  return (
    <div class={`run${isLong ? ' is-long' : ''}`}>
      <span class="run-words">
        {lasting(elapsed)}
        {expected !== null && `${isLong ? ', usually' : ' of'} ~${lastingMinutes(expected)}`}
      </span>
      <span class="run-bar" aria-hidden="true">
        {share !== null && <span style={{ width: `${Math.min(100, 100 * share)}%` }} />}
      </span>
      <span class="run-id soft">
        <RunName id={run.id} url={run.url} />
      </span>
    </div>
  )
}
