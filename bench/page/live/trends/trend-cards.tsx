/** How the last hours or days went, and which tests flake. */

import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Trends } from '../../../../server/page/frame.ts'
import { memo } from '../../parts/memo.ts'
import { pageState } from '../model/watched-queue.ts'
import { Chart } from './chart.tsx'
import { FlakyTests } from './flaky-tests.tsx'
import { loaded, loadTrends, span, trendsError, type Span } from './load.ts'
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
