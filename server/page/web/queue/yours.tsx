/** The pull requests that the reader has starred. */

import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PullRequestPage } from '../../answers.ts'
import type { EndedRow, Row } from '../../frame.ts'
import { get } from '../model/ask.ts'
import { serverNow } from '../model/server-clock.ts'
import { starredIn } from '../model/stars.ts'
import { Star } from '../pieces/buttons.tsx'
import { PullRequestLink } from '../pieces/texts.tsx'
import { bisected } from '../state/figures.ts'
import type { PageState } from '../state/fold.ts'
import { ordinal, placesOf } from '../state/places.ts'
import { EndedList } from './ended.tsx'
import { RowLine, Rows } from './row-line.tsx'

const minute = 60_000

type Found = { readonly number: number; readonly row?: Row; readonly end?: EndedRow }

/** Where a starred pull request is: in the stream, or what was answered when it was asked for. */
function find(state: PageState, number: number): Found {
  const row = state.rows.get(number)
  if (row) return { number, row }
  const end = state.ended.find((each) => each.number === number)
  if (end) return { number, end }
  const page = elsewhere.value.get(elsewhereKey(state.queue.id, number))
  if (!page) return { number }
  return page.ended ? { number, end: page.ended } : { number, row: page.row }
}

export function Yours({ state }: { state: PageState }): VNode | null {
  const queue = state.queue.id
  const numbers = starredIn(queue)
  const hidden = numbers.filter(
    (number) => !state.rows.has(number) && !state.ended.some((each) => each.number === number),
  )
  const time = Math.floor(serverNow.value / minute)
  useEffect(() => {
    void askFor(queue, hidden)
  }, [queue, hidden.join(), time])
  if (numbers.length === 0) return null
  const found = numbers.map((number) => find(state, number))
  const ended = found.flatMap(({ end }) => end ?? [])
  const unknown = found.filter(({ row, end }) => !row && !end)
  return (
    <section class="yours" aria-labelledby="yours-title">
      <h2 id="yours-title">Yours</h2>
      <YourRows state={state} rows={found.flatMap(({ row }) => row ?? [])} />
      {ended.length > 0 && <EndedList queue={queue} rows={ended} />}
      {unknown.length > 0 && (
        <ul class="elsewhere">
          {unknown.map(({ number }) => (
            <li key={number}>
              <PullRequestLink queue={queue} row={{ number }} />{' '}
              <span class="soft">is not in the queue.</span>
              <Star queue={queue} number={number} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function YourRows({ state, rows }: { state: PageState; rows: readonly Row[] }): VNode | null {
  if (rows.length === 0) return null
  const places = placesOf(state)
  const searched = bisected(state)
  return (
    <Rows name="Yours">
      {rows.map((row) => (
        <RowLine
          key={row.number}
          queue={state.queue.id}
          row={row}
          place={ordinal(places.get(row.number))}
          isBisected={searched.has(row.number)}
        />
      ))}
    </Rows>
  )
}

// Starred pull requests that the stream does not tell of: those that wait behind the first 200, and those
// that ended long ago. They are asked for one by one, and again each minute.

const pause = 60_000

/** Null for a number that the queue does not know. */
const elsewhere = signal<ReadonlyMap<string, PullRequestPage | null>>(new Map())

const asked = new Map<string, number>()

const elsewhereKey = (queue: string, number: number): string => `${queue} ${number}`

async function askFor(queue: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const key = elsewhereKey(queue, number)
    const now = performance.now()
    if (now - (asked.get(key) ?? -Infinity) < pause) continue
    asked.set(key, now)
    const address = `/page/pull-request?queue=${encodeURIComponent(queue)}&number=${number}`
    const answered = await get<PullRequestPage>(address)
    if (answered.kind === 'unreachable') continue
    const page = answered.kind === 'ok' ? answered.body : null
    elsewhere.value = new Map([...elsewhere.value, [key, page]])
  }
}
