/** How the last hours or days went, and which tests flake. */

import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { FlakyTestRow, Trends } from '../../../../server/page/frame.ts'
import { memo } from '../../parts/memo.ts'
import { safeUrl } from '../../parts/shown-text.ts'
import { get } from '../model/ask.ts'
import { pageState } from '../model/watched-queue.ts'
import { Foreign } from '../pieces/texts.tsx'
import { Chart } from './chart.tsx'
import { medianSeries, mergedSeries, p95Series, passSeries } from './series.ts'

const names: readonly (readonly [Span, string])[] = [
  [24, '24 hours'],
  [168, '7 days'],
]

export function TrendCards({ queue }: { queue: string }): VNode {
  const newest = pageState.value?.ended[0]?.at
  useEffect(() => {
    void loadTrends(queue)
  }, [queue, span.value, newest])
  const shown = loaded.value?.queue === queue ? loaded.value.trends : null
  return (
    <div class="trends">
      <section aria-labelledby="trends-title">
        <div class="section-head">
          <h2 id="trends-title">Trends</h2>
          <div role="group" aria-label="Time shown" class="spans">
            {names.map(([hours, name]) => (
              <button
                type="button"
                key={hours}
                aria-pressed={span.value === hours}
                onClick={() => (span.value = hours)}
              >
                {name}
              </button>
            ))}
          </div>
        </div>
        {trendsError.value !== null && <p class="bad">{trendsError.value}</p>}
        {shown && <Charts trends={shown} />}
      </section>
      {shown && <FlakyTests tests={shown.flakyTests} />}
    </div>
  )
}

const Charts = memo(({ trends: { hours } }: { trends: Trends }) => {
  const starts = hours.map(({ from }) => Date.parse(from))
  const evicted = hours.reduce((all, { healthyEvicted }) => all + healthyEvicted, 0)
  return (
    <>
      <Chart title="Merged per hour" lines={[mergedSeries(hours)]} hours={starts} least={4} />
      <Chart
        title="Time in the queue"
        lines={[medianSeries(hours), p95Series(hours)]}
        hours={starts}
        least={10}
      />
      <Chart title="Test runs" lines={[passSeries(hours)]} hours={starts} least={100} />
      <p class="soft">
        {evicted === 0
          ? 'No healthy pull request was evicted.'
          : `${evicted} evicted though healthy: a flake decided.`}
      </p>
    </>
  )
})

// The tests that flake most, with their tickets.

function FlakyTests({ tests }: { tests: readonly FlakyTestRow[] }): VNode {
  return (
    <section class="flaky" aria-labelledby="flaky-title">
      <h2 id="flaky-title">Flaky tests</h2>
      {tests.length === 0 ? (
        <p class="soft">None are known.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Test</th>
              <th scope="col">Flakes</th>
              <th scope="col">Ticket</th>
            </tr>
          </thead>
          <tbody>
            {tests.slice(0, 10).map((test) => (
              <FlakyTest key={`${test.file} ${test.name}`} test={test} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function FlakyTest({ test: { name, file, flakes, ticket } }: { test: FlakyTestRow }): VNode {
  const url = safeUrl(ticket)
  return (
    <tr>
      <th scope="row">
        <Foreign text={name} />
        <span class="soft file">
          <Foreign text={file} />
        </span>
      </th>
      <td>{flakes}</td>
      <td>
        {ticket === null ? (
          <span class="soft">none</span>
        ) : url === null ? (
          <Foreign text={ticket} />
        ) : (
          <a href={url} rel="noreferrer">
            <Foreign text={ticket} />
          </a>
        )}
      </td>
    </tr>
  )
}

// The trends of a queue, loaded when they are shown and again when something has ended since.

type Span = 24 | 168

type LoadedTrends = { readonly queue: string; readonly span: Span; readonly trends: Trends }

const span = signal<Span>(24)
const loaded = signal<LoadedTrends | null>(null)
const trendsError = signal<string | null>(null)

/** What ends in the meantime is shown with the next load, so that a storm asks once a minute. */
const pause = 60_000

let last = { key: '', at: -Infinity }

async function loadTrends(queue: string): Promise<void> {
  const wanted = span.value
  const key = `${queue} ${wanted}`
  const isShown = last.key === key && loaded.value?.queue === queue
  if (isShown && performance.now() - last.at < pause) return
  last = { key, at: performance.now() }
  const address = `/page/trends?queue=${encodeURIComponent(queue)}&hours=${wanted}`
  const answered = await get<Trends>(address)
  if (last.key !== key) return
  trendsError.value = answered.kind === 'ok' ? null : answered.error
  if (answered.kind === 'ok') loaded.value = { queue, span: wanted, trends: answered.body }
}
