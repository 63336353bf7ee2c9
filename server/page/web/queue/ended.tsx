/** What ended lately, with its evidence. */

import type { VNode } from 'preact'
import { useSignal } from '@preact/signals'
import type { EndedRow } from '../../frame.ts'
import { lastingMinutes } from '../parts/clock-words.ts'
import { lookOf } from '../parts/looks.ts'
import { StateWord } from '../parts/mark.tsx'
import { memo } from '../parts/memo.ts'
import { Star } from '../pieces/buttons.tsx'
import { At, Foreign, PullRequestLink, RunName } from '../pieces/texts.tsx'

const shownAtFirst = 12

export function Ended({ queue, rows }: { queue: string; rows: readonly EndedRow[] }): VNode {
  const isWhole = useSignal(false)
  const shown = isWhole.value ? rows : rows.slice(0, shownAtFirst)
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

type EndedListProps = { readonly queue: string; readonly rows: readonly EndedRow[] }

export function EndedList({ queue, rows }: EndedListProps): VNode {
  return (
    <ul class="ended-list sheet">
      {rows.map((row) => (
        <EndedItem key={`${row.number} ${row.at}`} queue={queue} row={row} />
      ))}
    </ul>
  )
}

type EndedItemProps = { readonly queue: string; readonly row: EndedRow }

const EndedItem = memo(({ queue, row }: EndedItemProps) => (
  <li class={`is-${row.state.toLowerCase()}`} data-ended={row.number}>
    <p class="ended-head">
      <StateWord look={lookOf(row.state, false)} />
      <PullRequestLink queue={queue} row={row} />
      <span class="soft small ended-when">
        <At instant={row.at} />, after {lastingMinutes(row.minutesInQueue)}
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
function Evidence({ row: { member } }: { row: EndedRow }): VNode | null {
  if (!member) return null
  const { failedIn, passedWithout, failedTests } = member
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
