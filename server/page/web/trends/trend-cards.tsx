/** How the last hours or days went, and which tests flake. */

import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { FlakyTestRow, TrendHour, Trends } from '../../frame.ts'
import { clock, lastingMinutes } from '../components/time-words.ts'
import { memo } from '../components/memo.ts'
import { safeUrl } from '../components/shown-text.ts'
import { Section } from '../components/section.tsx'
import { Table } from '../components/table.tsx'
import { useAnswer } from '../model/ask.ts'
import { addressOf } from '../model/route.ts'
import { minutesNow, pageState } from '../model/watched-queue.ts'
import { leftLately } from '../state/fold.ts'
import { Foreign } from '../texts/texts.tsx'
import { QuarantineCard } from './quarantine.tsx'

// The lines of the trends, computed from the hours.

type Series = {
  readonly name: string
  readonly unit: 'pull requests' | 'minutes' | '%'
  /** One per hour; null for an hour without any. */
  readonly values: readonly (number | null)[]
  /** What the whole time comes to; null without any. */
  readonly whole: number | null
}

type Figure = 'merged' | 'runsPassed' | 'runsFailed' | 'healthyEvicted'

const sum = (hours: readonly TrendHour[], figure: Figure): number =>
  hours.reduce((all, hour) => all + hour[figure], 0)

const mergedSeries = (hours: readonly TrendHour[]): Series => ({
  name: 'merged',
  unit: 'pull requests',
  values: hours.map(({ merged }) => merged),
  whole: sum(hours, 'merged'),
})

export function lengthSeries(
  name: string,
  hours: readonly TrendHour[],
  figure: 'medianMinutes' | 'p95Minutes',
): Series {
  const values = hours.map((hour) => hour[figure])
  return { name, unit: 'minutes', values, whole: middle(values) }
}

export function passSeries(hours: readonly TrendHour[]): Series {
  const shareOf = (some: readonly TrendHour[]): number | null => {
    const [passed, failed] = [sum(some, 'runsPassed'), sum(some, 'runsFailed')]
    return passed + failed === 0 ? null : (100 * passed) / (passed + failed)
  }
  const values = hours.map((hour) => shareOf([hour]))
  return { name: 'runs that pass', unit: '%', values, whole: shareOf(hours) }
}

/** The middle one of the hours. It is no median of all pull requests, which the hours do not tell. */
function middle(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((each) => each ?? []).toSorted((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}

/** A round number that is not below the highest value. */
export function topOf(values: readonly (number | null)[], least: number): number {
  const highest = Math.max(least, ...values.map((each) => each ?? 0))
  const unit = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((step) => step >= highest) ?? highest
}

/** The `d` of a path through the values; an hour without one leaves a gap. */
export function pathOf(
  values: readonly (number | null)[],
  top: number,
  { width, height }: { width: number; height: number },
): string {
  const step = width / Math.max(1, values.length - 1)
  let isDrawing = false
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const place = `${round(index * step)} ${round(height - (height * value) / top)}`
      const isAlone = !isDrawing && (values[index + 1] ?? null) === null
      const move = isDrawing ? 'L' : 'M'
      isDrawing = true
      // An hour between two gaps is a dot: a line without a length, with round ends.
      return isAlone ? `M${place}h0` : `${move}${place}`
    })
    .join('')
}

const round = (value: number): number => Math.round(value * 10) / 10

const spans = [
  [24, '24 hours'],
  [168, '7 days'],
] as const

const span = signal<number>(24)

const isEmpty = ({ hours }: Pick<Trends, 'hours'>): boolean =>
  hours.every((hour) => hour.merged + hour.failed + hour.runsPassed + hour.runsFailed === 0)

export function TrendCards(): VNode {
  const [newest] = pageState.value ? leftLately(pageState.value) : []
  const since = newest?.since ?? ''
  const found = useAnswer<Trends>(addressOf('trends', { hours: `${span.value}` }), (trends) => [
    // At once while nothing is drawn: something has ended, and the page says that nothing has.
    trends && isEmpty(trends) ? since : '',
    // What ends in the meantime is shown when it is over, so that a storm asks once a minute.
    Math.min(minutesNow.value, Math.floor(Date.parse(since) / 60_000) + 1),
  ])
  // While another time is asked for, the one before stays.
  const last = useRef<Trends | null>(null)
  last.current = found?.body ?? last.current
  const shown = last.current
  const buttons = (
    <div role="group" aria-label="Time shown" class="spans">
      {spans.map(([hours, name]) => (
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
  )
  return (
    <div class="trends">
      <Section title="Trends" beside={buttons}>
        {found?.refusal && <p class="bad">{found.refusal.error}</p>}
        {shown && <Charts trends={shown} />}
      </Section>
      {shown && <FlakyTests tests={shown.flakyTests} />}
      {shown?.quarantine && <QuarantineCard quarantine={shown.quarantine} />}
    </div>
  )
}

const Charts = memo(({ trends: { hours } }: { trends: Trends }) => {
  const starts = hours.map(({ from }) => Date.parse(from))
  if (isEmpty({ hours })) {
    return (
      <p class="soft">Nothing has merged or failed in this time, so there is nothing to draw.</p>
    )
  }
  const evicted = sum(hours, 'healthyEvicted')
  return (
    <>
      <Chart title="Merged per hour" lines={[mergedSeries(hours)]} hours={starts} least={4} />
      <Chart
        title="Time in the queue"
        lines={[
          lengthSeries('half land within', hours, 'medianMinutes'),
          lengthSeries('19 of 20 land within', hours, 'p95Minutes'),
        ]}
        hours={starts}
        least={10}
      />
      <Chart title="Test runs" lines={[passSeries(hours)]} hours={starts} least={100} />
      <p class="soft">
        {evicted === 0
          ? 'No commit was evicted and passed later.'
          : `${evicted} evicted though healthy: the same commit passed later.`}
      </p>
    </>
  )
})

// The tests that flake most, with their tickets.

function FlakyTests({ tests }: { tests: readonly FlakyTestRow[] }): VNode {
  const rows = tests.slice(0, 10).map(({ name, file, flakes, ticket }) => [
    <>
      <Foreign text={name} />
      <span class="soft small file">
        <Foreign text={file} />
      </span>
    </>,
    flakes,
    ticket === null ? <span class="soft">none</span> : <Linked text={ticket} />,
  ])
  return (
    <Section title="Flaky tests" class="flaky">
      {tests.length === 0 ? (
        <p class="soft">None are known.</p>
      ) : (
        <Table class="sheet" titles={['Test', 'Flakes', 'Ticket']} rows={rows} />
      )}
    </Section>
  )
}

/** A text that is a link if it can be one. */
function Linked({ text }: { text: string }): VNode {
  const url = safeUrl(text)
  if (url === null) return <Foreign text={text} />
  return (
    <a href={url} rel="noreferrer">
      <Foreign text={text} />
    </a>
  )
}

// A small chart of one or two lines over the hours, with the same numbers as a table below.

/** The units of the drawing, which is stretched to its place; the texts around it are not. */
const size = { width: 320, height: 90 }

type ChartProps = {
  readonly title: string
  readonly lines: readonly Series[]
  /** The start of each hour. */
  readonly hours: readonly number[]
  /** The lowest upper end of the axis. */
  readonly least: number
}

function Chart({ title, lines, hours, least }: ChartProps): VNode {
  const top = topOf(
    lines.flatMap(({ values }) => values),
    least,
  )
  return (
    <figure class="chart sheet">
      <figcaption>
        <h3>{title}</h3>
        <p class="row small soft">
          {lines.map((line, index) => (
            <span key={line.name} class={`legend is-${index + 1}`}>
              {line.name} <b>{amount(line.whole, line.unit)}</b>
            </span>
          ))}
        </p>
      </figcaption>
      <div class="plot">
        <Ticks top={amount(top, lines[0]?.unit ?? '%')} hours={hours} />
        <svg
          viewBox={`0 0 ${size.width} ${size.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${lines.map(({ name, whole, unit }) => `${name} ${amount(whole, unit)}`).join(', ')}. The numbers are in the table below.`}
        >
          <path class="axis" d={gridOf(size)} />
          {lines.map(({ name, values }, index) => (
            <path key={name} class={`series is-${index + 1}`} d={pathOf(values, top, size)} />
          ))}
        </svg>
      </div>
      <Numbers title={title} lines={lines} hours={hours} />
    </figure>
  )
}

export function amount(value: number | null, unit: Series['unit']): string {
  if (value === null) return 'none'
  if (unit === '%') return `${Math.round(value)} %`
  if (unit !== 'minutes') return value.toLocaleString('en-GB')
  return lastingMinutes(value)
}

const gridOf = ({ width, height }: typeof size): string =>
  `M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`

/** The ends of both axes. */
function Ticks({ top, hours }: { top: string; hours: readonly number[] }): VNode {
  const [first] = hours
  const last = hours.at(-1)
  return (
    <>
      <span class="ticks soft is-upright">
        <span>{top}</span>
        <span>0</span>
      </span>
      <span class="ticks soft">
        {first !== undefined && last !== undefined && (
          <>
            <span>{clock(first, last)}</span>
            <span>{clock(last, last)}</span>
          </>
        )}
      </span>
    </>
  )
}

function Numbers({ title, lines, hours }: Omit<ChartProps, 'least'>): VNode {
  const last = hours.at(-1) ?? 0
  const rows = hours.map((hour, index) => [
    clock(hour, last),
    ...lines.map(({ values }) => {
      const value = values[index] ?? null
      return value === null ? 'none' : Math.round(value)
    }),
  ])
  const titles = ['hour from', ...lines.map(({ name, unit }) => `${name}, ${unit}`)]
  return (
    <details>
      <summary class="small soft">as a table</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title} by hour`}>
        <Table titles={titles} rows={rows} />
      </div>
    </details>
  )
}
