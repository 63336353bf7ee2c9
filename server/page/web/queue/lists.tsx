/**
 * Those that wait, in order. While a reader points at the table or has the focus in it, the table holds
 * still and says how much has changed.
 */

import { useSignal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef, useEffect } from 'preact/hooks'
import type { Row, PullRequestPage } from '../../frame.ts'
import { hasLeft, inQueue, type PageState, ordinal, placesOf } from '../state/fold.ts'
import { get } from '../model/ask.ts'
import { serverNow } from '../model/watched-queue.ts'
import { starredIn } from '../model/stars.ts'
import {
  Star,
  More,
  PullRequestLink,
  At,
  Foreign,
  RunName,
  Elapsed,
  Lands,
  StackFlags,
} from '../pieces/texts.tsx'
import { lasting, timeInQueue } from '../parts/time-words.ts'
import { lookOf, StateWord } from '../parts/mark.tsx'
import { memo } from '../parts/memo.ts'
import { TableHead } from '../parts/table-head.tsx'

/** Most readers look for the next ones, and a short table is drawn sooner. */
const waitingAtFirst = 50

export function WaitingTable({ state }: { state: PageState }): VNode {
  const isHeld = useSignal(false)
  const drawn = useRef<Shown | null>(null)
  const isWhole = useSignal(false)
  const listed = shownWaiting(state)
  const current = isWhole.value ? listed : { rows: listed.rows.slice(0, waitingAtFirst) }
  if (!isHeld.value || drawn.current === null || isSameOrder(drawn.current, current)) {
    drawn.current = current
  }
  const shown = drawn.current
  const changes = changesBetween(shown, current)
  const places = placesOf(state)
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
              isGone={!inQueue(state, row.number)}
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

// The pull requests that the reader has starred.

const minute = 60_000

export function Yours({ state }: { state: PageState }): VNode | null {
  const queue = state.queue.id
  const numbers = starredIn(queue)
  const hidden = numbers.filter((number) => !state.rows.has(number))
  const time = Math.floor(serverNow.value / minute)
  useEffect(() => {
    void askFor(queue, hidden)
  }, [queue, hidden.join(), time])
  if (numbers.length === 0) return null
  const rowOf = (number: number): Row | undefined =>
    state.rows.get(number) ?? elsewhere.value.get(elsewhereKey(queue, number))?.row
  const found = numbers.flatMap((number) => rowOf(number) ?? [])
  const ended = found.filter(hasLeft)
  const unknown = numbers.filter((number) => !rowOf(number))
  return (
    <section class="yours" aria-labelledby="yours-title">
      <h2 id="yours-title">Yours</h2>
      <YourRows state={state} rows={found.filter((row) => !hasLeft(row))} />
      {ended.length > 0 && <EndedList queue={queue} rows={ended} />}
      {unknown.length > 0 && (
        <ul class="elsewhere">
          {unknown.map((number) => (
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
  return (
    <Rows name="Yours">
      {rows.map((row) => (
        <RowLine
          key={row.number}
          queue={state.queue.id}
          row={row}
          place={ordinal(places.get(row.number))}
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

// What ended lately, with its evidence.

const endedAtFirst = 12

export function Ended({ queue, rows }: { queue: string; rows: readonly Row[] }): VNode {
  const isWhole = useSignal(false)
  const shown = isWhole.value ? rows : rows.slice(0, endedAtFirst)
  return (
    <section class="ended" aria-labelledby="ended-title">
      <h2 id="ended-title">Ended lately</h2>
      {rows.length === 0 && <p class="soft">Nothing yet.</p>}
      <EndedList queue={queue} rows={shown} />
      {shown.length < rows.length && (
        <button type="button" onClick={() => (isWhole.value = true)}>
          Show {rows.length - shown.length} more
        </button>
      )}
    </section>
  )
}

type EndedListProps = { readonly queue: string; readonly rows: readonly Row[] }

function EndedList({ queue, rows }: EndedListProps): VNode {
  return (
    <ul class="ended-list sheet">
      {rows.map((row) => (
        <EndedItem key={row.number} queue={queue} row={row} />
      ))}
    </ul>
  )
}

type EndedItemProps = { readonly queue: string; readonly row: Row }

const EndedItem = memo(({ queue, row }: EndedItemProps) => (
  <li class={`is-${row.state.toLowerCase()}`} data-ended={row.number}>
    <p class="ended-head">
      <StateWord look={lookOf(row)} />
      <PullRequestLink queue={queue} row={row} />
      <span class="soft small ended-when">
        <At instant={row.since} />, after {lasting(timeInQueue(row))}
      </span>
      <Star queue={queue} number={row.number} />
    </p>
    {row.state !== 'MERGED' && (
      <p class="why">
        <Foreign text={row.why} />
      </p>
    )}
    <Evidence row={row} />
  </li>
))

/** The run that decided, the run without it, and the tests: not everything that was ever red. */
function Evidence({ row: { member } }: { row: Row }): VNode | null {
  if (!member?.evidence) return null
  const { failedIn, passedWithout, failedTests } = member.evidence
  if (failedIn === null && failedTests.length === 0) return null
  return (
    <dl class="evidence row small">
      {failedIn !== null && <RunOf name="failed in" run={failedIn} />}
      {passedWithout !== null && <RunOf name="passed without it in" run={passedWithout} />}
      <FailedTests tests={failedTests} most={5} />
    </dl>
  )
}

export function FailedTests({ tests, most }: { tests: readonly string[]; most: number }) {
  if (tests.length === 0) return null
  return (
    <div class="row tests">
      <dt class="soft">{tests.length === 1 ? 'failed test' : 'failed tests'}</dt>
      {tests.slice(0, most).map((test) => (
        <dd key={test}>
          <code>
            <Foreign text={test} />
          </code>
        </dd>
      ))}
      {tests.length > most && <dd class="soft">and {tests.length - most} more</dd>}
    </div>
  )
}

function RunOf({ name, run }: { name: string; run: string }): VNode {
  return (
    <div class="row">
      <dt class="soft">{name}</dt>
      <dd>
        <RunName id={run} />
      </dd>
    </div>
  )
}

// A pull request as a row of a table: place, state, why, when it lands, buttons.

type RowLineProps = {
  readonly queue: string
  readonly row: Row
  /** "3rd", or an empty text for one that has no place. */
  readonly place: string
  /** True if it has left since the table is held still. */
  readonly isGone?: boolean
}

function Rows({ name, children }: { name: string; children: VNode[] }): VNode {
  return (
    <table class="rows sheet" role="table" aria-label={name}>
      <TableHead
        titles={[
          ...['Place', 'Pull request', 'State', 'Why', 'Lands'],
          <span class="unseen">Actions</span>,
        ]}
      />
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
}

const RowLine = memo(({ queue, row, place, isGone }: RowLineProps) => (
  <tr role="row" class={isGone === true ? 'has-left' : ''} data-number={row.number}>
    <td role="cell" class="cell-place soft">
      {place}
    </td>
    <td role="cell" class="cell-name">
      <PullRequestLink queue={queue} row={row} />
      {row.member && (
        <span class="by small soft">
          {row.member.author !== '' && <Foreign text={row.member.author} />}
          {row.member.noBatch && <span class="flag is-quiet">alone</span>}
        </span>
      )}
      {row.urgent && <span class="flag">urgent</span>}
      <StackFlags row={row} />
    </td>
    <td role="cell" class="cell-state">
      {isGone === true ? 'has left' : <StateWord look={lookOf(row)} />}{' '}
      <span class="soft">
        <Elapsed since={row.since} />
      </span>
    </td>
    <td role="cell" class="cell-why">
      <Foreign text={row.why} />
    </td>
    <td role="cell" class="cell-lands">
      <Lands estimate={row.estimate} />
    </td>
    <td role="cell" class="cell-buttons">
      <Star queue={queue} number={row.number} />
      {isGone !== true && <More number={row.number} />}
    </td>
  </tr>
))
