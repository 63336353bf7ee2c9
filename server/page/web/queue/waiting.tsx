/**
 * Those that wait, in order. While a reader points at the table or has the focus in it, the table holds
 * still and says how much has changed.
 */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { Row } from '../../frame.ts'
import { bisected } from '../state/figures.ts'
import type { PageState } from '../state/fold.ts'
import { ordinal, placesOf } from '../state/places.ts'
import { RowLine, Rows } from './row-line.tsx'

/** Most readers look for the next ones, and a short table is drawn sooner. */
const shownAtFirst = 50

export function WaitingTable({ state }: { state: PageState }): VNode {
  const isHeld = useSignal(false)
  const drawn = useRef<Shown | null>(null)
  const isWhole = useSignal(false)
  const listed = shownWaiting(state)
  const current = isWhole.value ? listed : { rows: listed.rows.slice(0, shownAtFirst) }
  if (!isHeld.value || drawn.current === null || isSameOrder(drawn.current, current)) {
    drawn.current = current
  }
  const shown = drawn.current
  const changes = changesBetween(shown, current)
  const places = placesOf(state)
  const searched = bisected(state)
  const { waiting, queue } = state
  return (
    <section
      class="waiting"
      aria-labelledby="waiting-title"
      onPointerEnter={() => (isHeld.value = true)}
      onPointerLeave={(event) => {
        isHeld.value = event.currentTarget.contains(document.activeElement)
      }}
      onFocusIn={() => (isHeld.value = true)}
      onFocusOut={(event) => {
        const isInside = event.relatedTarget instanceof Node
        isHeld.value = isInside && event.currentTarget.contains(event.relatedTarget)
      }}
    >
      <h2 id="waiting-title">
        Waiting <span class="count soft">{waiting.total.toLocaleString('en-GB')}</span>
      </h2>
      {changes > 0 && (
        <button type="button" class="held" onClick={() => (isHeld.value = false)}>
          {changes} {changes === 1 ? 'change' : 'changes'}, show
        </button>
      )}
      {shown.rows.length === 0 ? (
        <p class="soft">Nobody waits.</p>
      ) : (
        <Rows name="Waiting">
          {shown.rows.map((row) => (
            <RowLine
              key={row.number}
              queue={queue.id}
              row={state.rows.get(row.number) ?? row}
              place={ordinal(places.get(row.number))}
              isBisected={searched.has(row.number)}
              hasLeft={!state.rows.has(row.number)}
            />
          ))}
        </Rows>
      )}
      {current.rows.length < listed.rows.length && (
        <button type="button" class="rest" onClick={() => (isWhole.value = true)}>
          Show {listed.rows.length - current.rows.length} more
        </button>
      )}
      {waiting.total > waiting.order.length && (
        <p class="soft">
          The page knows the first {waiting.order.length} of {waiting.total.toLocaleString('en-GB')}
          . Find any other by its number.
        </p>
      )}
    </section>
  )
}

// The rows of the waiting table, and how a table that is held still differs from the present.

export type Shown = { readonly rows: readonly Row[] }

export function shownWaiting({ rows, waiting }: PageState): Shown {
  return { rows: waiting.order.flatMap((number) => rows.get(number) ?? []) }
}

const numbersOf = ({ rows }: Shown): number[] => rows.map(({ number }) => number)

function isSameOrder(a: Shown, b: Shown): boolean {
  const order = numbersOf(b)
  return (
    a.rows.length === order.length && numbersOf(a).every((each, index) => each === order[index])
  )
}

/** How many have come or gone; at least one if only the order differs. */
export function changesBetween(shown: Shown, current: Shown): number {
  if (isSameOrder(shown, current)) return 0
  const before = new Set(numbersOf(shown))
  const after = new Set(numbersOf(current))
  const come = [...after].filter((each) => !before.has(each)).length
  const gone = [...before].filter((each) => !after.has(each)).length
  return Math.max(1, come + gone)
}
