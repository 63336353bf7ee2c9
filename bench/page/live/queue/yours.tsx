/** The pull requests that the reader has starred. */

import type { VNode } from 'preact'
import type { EndedRow } from '../../../../server/page/frame.ts'
import { starredIn } from '../model/stars.ts'
import { bisected } from '../state/figures.ts'
import type { PageState } from '../state/fold.ts'
import { ordinal, placesOf } from '../state/places.ts'
import { Star } from '../pieces/buttons.tsx'
import { PullRequestLink } from '../pieces/texts.tsx'
import { EndedList } from './ended.tsx'
import { RowLine, Rows } from './row-line.tsx'

export function Yours({ state }: { state: PageState }): VNode | null {
  const queue = state.queue.id
  const numbers = starredIn(queue)
  if (numbers.length === 0) return null
  const places = placesOf(state)
  const searched = bisected(state)
  const rows = numbers.flatMap((number) => state.rows.get(number) ?? [])
  const others = numbers.filter((number) => !state.rows.has(number))
  const ended = others.flatMap((number) => lastEnd(state, number) ?? [])
  const elsewhere = others.filter((number) => !lastEnd(state, number))
  return (
    <section class="yours" aria-labelledby="yours-title">
      <h2 id="yours-title">Yours</h2>
      {rows.length > 0 && (
        <Rows name="Yours">
          {rows.map((row) => (
            <RowLine
              key={row.number}
              queue={queue}
              row={row}
              place={ordinal(places.get(row.number))}
              isBisected={searched.has(row.number)}
            />
          ))}
        </Rows>
      )}
      {ended.length > 0 && <EndedList queue={queue} rows={ended} />}
      {elsewhere.length > 0 && (
        <ul class="elsewhere">
          {elsewhere.map((number) => (
            <li key={number}>
              <PullRequestLink queue={queue} row={{ number }} />{' '}
              <span class="soft">is not in this list: open it to see where it is.</span>
              <Star queue={queue} number={number} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function lastEnd({ ended }: PageState, number: number): EndedRow | undefined {
  return ended.find((row) => row.number === number)
}
