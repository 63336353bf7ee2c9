/**
 * Those that wait, in order. While a reader points at the table or has the focus in it, the table holds
 * still and says how much has changed.
 */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { Row, PullRequestPage } from '../../frame.ts'
import { hasLeft, inQueue, type PageState, ordinal, placesOf } from '../state/fold.ts'
import { useAnswers } from '../model/ask.ts'
import { addressOf } from '../model/route.ts'
import { minutesNow } from '../model/watched-queue.ts'
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
  Rest,
  StackFlags,
} from '../texts/texts.tsx'
import { lasting, timeInQueue } from '../components/time-words.ts'
import { lookOf, StateWord } from '../components/mark.tsx'
import { memo } from '../components/memo.ts'
import { Section } from '../components/section.tsx'
import { TableHead } from '../components/table.tsx'

/** Most readers look for the next ones, and a short table is drawn sooner. */
const waitingAtFirst = 50

export function WaitingTable({ state }: { state: PageState }): VNode {
  const isHeld = useSignal(false)
  const drawn = useRef<readonly Row[] | null>(null)
  const isWhole = useSignal(false)
  const listed = shownWaiting(state)
  const current = isWhole.value ? listed : listed.slice(0, waitingAtFirst)
  if (!isHeld.value || drawn.current === null || changesBetween(drawn.current, current) === 0) {
    drawn.current = current
  }
  const shown = drawn.current
  const changes = changesBetween(shown, current)
  const { waiting } = state
  const title = (
    <>
      Behind the line <span class="count soft">{waiting.total.toLocaleString('en-GB')}</span>
    </>
  )
  return (
    <Section
      title={title}
      class="waiting"
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
      {changes > 0 && (
        <button type="button" class="held" onClick={() => (isHeld.value = false)}>
          {changes} {changes === 1 ? 'change' : 'changes'}, show
        </button>
      )}
      {shown.length === 0 ? (
        <p class="soft">Nobody is behind the line.</p>
      ) : (
        <Rows name="Behind the line" state={state} rows={shown} />
      )}
      <Rest count={listed.length - current.length} onShow={() => (isWhole.value = true)} />
      {waiting.total > waiting.order.length && (
        <p class="soft">
          The page knows the first {waiting.order.length} of {waiting.total.toLocaleString('en-GB')}
          . Find any other by its number.
        </p>
      )}
    </Section>
  )
}

// The rows of the waiting table, and how a table that is held still differs from the present.

export function shownWaiting({ rows, waiting }: PageState): Row[] {
  return waiting.order.flatMap((number) => rows.get(number) ?? [])
}

/** How many have come or gone; at least one if only the order differs. */
export function changesBetween(shown: readonly Row[], current: readonly Row[]): number {
  const [before, after] = [shown, current].map((rows) => rows.map(({ number }) => number))
  if (!before || !after || before.join() === after.join()) return 0
  const [was, is] = [new Set(before), new Set(after)]
  const come = after.filter((each) => !was.has(each)).length
  const gone = before.filter((each) => !is.has(each)).length
  return Math.max(1, come + gone)
}

// The pull requests that the reader has starred.

export function Yours({ state }: { state: PageState }): VNode | null {
  const numbers = starredIn(state.queue.id)
  // The stream does not tell of those that wait behind the first 200, and of those that ended long ago.
  const hidden = numbers.filter((number) => !state.rows.has(number))
  const where = (number: number): string => addressOf('pull-request', { number: `${number}` })
  const asked = useAnswers<PullRequestPage>(hidden.map(where), () => [minutesNow.value])
  const rowOf = (number: number): Row | undefined =>
    state.rows.get(number) ?? asked.get(where(number))?.body?.row
  if (numbers.length === 0) return null
  const found = numbers.flatMap((number) => rowOf(number) ?? [])
  const [waiting, ended] = [found.filter((row) => !hasLeft(row)), found.filter(hasLeft)]
  const unknown = numbers.filter((number) => !rowOf(number))
  return (
    <Section title="Yours" class="yours">
      {waiting.length > 0 && <Rows name="Yours" state={state} rows={waiting} />}
      {ended.length > 0 && <EndedList rows={ended} />}
      {unknown.length > 0 && (
        <ul class="elsewhere">
          {unknown.map((number) => (
            <li key={number}>
              <PullRequestLink row={{ number }} /> <span class="soft">is not in the queue.</span>
              <Star number={number} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

// What ended lately, with its evidence.

const endedAtFirst = 12

export function Ended({ rows }: EndedListProps): VNode {
  const isWhole = useSignal(false)
  const shown = isWhole.value ? rows : rows.slice(0, endedAtFirst)
  return (
    <Section title="Ended lately" class="ended">
      {rows.length === 0 && <p class="soft">Nothing yet.</p>}
      <EndedList rows={shown} />
      <Rest count={rows.length - shown.length} onShow={() => (isWhole.value = true)} />
    </Section>
  )
}

type EndedListProps = { readonly rows: readonly Row[] }

function EndedList({ rows }: EndedListProps): VNode {
  return (
    <ul class="ended-list sheet">
      {rows.map((row) => (
        <EndedItem key={row.number} row={row} />
      ))}
    </ul>
  )
}

const EndedItem = memo(({ row }: { readonly row: Row }) => (
  <li class={`is-${row.state.toLowerCase()}`} data-ended={row.number}>
    <p class="ended-head">
      <StateWord look={lookOf(row)} />
      <PullRequestLink row={row} />
      <span class="soft small ended-when">
        <At instant={row.since} />, after {lasting(timeInQueue(row))}
      </span>
      <Star number={row.number} />
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

type RowsProps = { readonly name: string; readonly state: PageState; readonly rows: readonly Row[] }

/** A row that the state does not have any more is drawn as it was. */
function Rows({ name, state, rows }: RowsProps): VNode {
  const places = placesOf(state)
  return (
    <table class="rows sheet" role="table" aria-label={name}>
      <TableHead
        titles={[
          ...['Place', 'Pull request', 'State', 'Why', 'Lands'],
          <span class="unseen">Actions</span>,
        ]}
      />
      <tbody role="rowgroup">
        {rows.map((row) => (
          <RowLine
            key={row.number}
            row={state.rows.get(row.number) ?? row}
            place={ordinal(places.get(row.number))}
            isGone={name === 'Behind the line' && !inQueue(state, row.number)}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowLineProps = {
  readonly row: Row
  /** "3rd", or an empty text for one that has no place. */
  readonly place: string
  /** True if it has left since the table is held still. */
  readonly isGone: boolean
}

const RowLine = memo(({ row, place, isGone }: RowLineProps) => (
  <tr role="row" class={isGone ? 'has-left' : ''} data-number={row.number}>
    <td role="cell" class="cell-place soft">
      {place}
    </td>
    <td role="cell" class="cell-name">
      <PullRequestLink row={row} />
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
      {isGone ? 'has left' : <StateWord look={lookOf(row)} />}{' '}
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
      <Star number={row.number} />
      {!isGone && <More number={row.number} />}
    </td>
  </tr>
))
