/** A small chart of one or two lines over the hours, with the same numbers as a table below. */

import type { VNode } from 'preact'
import { clock } from '../../parts/clock-words.ts'
import { pathOf, topOf, type Series } from './series.ts'

const size = { width: 320, height: 90 }
const margin = { left: 34, right: 6, top: 8, bottom: 18 }

type ChartProps = {
  readonly title: string
  readonly lines: readonly Series[]
  /** The start of each hour. */
  readonly hours: readonly number[]
  /** The lowest upper end of the axis. */
  readonly least: number
}

export function Chart({ title, lines, hours, least }: ChartProps): VNode {
  const top = topOf(
    lines.flatMap(({ values }) => values),
    least,
  )
  const outer = {
    width: size.width + margin.left + margin.right,
    height: size.height + margin.top + margin.bottom,
  }
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <p>
          {lines.map((line, index) => (
            <span key={line.name} class={`legend is-${index + 1}`}>
              {line.name} <b>{amount(line.whole, line.unit)}</b>
            </span>
          ))}
        </p>
      </figcaption>
      <svg
        viewBox={`0 0 ${outer.width} ${outer.height}`}
        role="img"
        aria-label={`${title}: ${lines.map(({ name, whole, unit }) => `${name} ${amount(whole, unit)}`).join(', ')}. The numbers are in the table below.`}
      >
        <g transform={`translate(${margin.left} ${margin.top})`}>
          <Axes top={top} hours={hours} />
          {lines.map(({ name, values }, index) => (
            <path key={name} class={`series is-${index + 1}`} d={pathOf(values, top, size)} />
          ))}
        </g>
      </svg>
      <Numbers title={title} lines={lines} hours={hours} />
    </figure>
  )
}

function amount(value: number | null, unit: Series['unit']): string {
  if (value === null) return 'none'
  if (unit === '%') return `${Math.round(value)} %`
  return unit === 'minutes' ? `${Math.round(value)} min` : value.toLocaleString('en-GB')
}

function Axes({ top, hours }: { top: number; hours: readonly number[] }): VNode {
  const { width, height } = size
  const [first] = hours
  const last = hours.at(-1)
  return (
    <>
      <path class="axis" d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`} />
      <text class="axis-text is-end" x={-6} y={4}>
        {top}
      </text>
      <text class="axis-text is-end" x={-6} y={height + 4}>
        0
      </text>
      {first !== undefined && last !== undefined && (
        <>
          <text class="axis-text" x={0} y={height + 14}>
            {clock(first, last)}
          </text>
          <text class="axis-text is-end" x={width} y={height + 14}>
            {clock(last, last)}
          </text>
        </>
      )}
    </>
  )
}

function Numbers({ title, lines, hours }: Omit<ChartProps, 'least'>): VNode {
  const last = hours.at(-1) ?? 0
  return (
    <details>
      <summary>as a table</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title} by hour`}>
        <table>
          <thead>
            <tr>
              <th scope="col">hour from</th>
              {lines.map(({ name, unit }) => (
                <th scope="col" key={name}>
                  {name}, {unit}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((hour, index) => (
              <tr key={hour}>
                <th scope="row">{clock(hour, last)}</th>
                {lines.map(({ name, values }) => {
                  const value = values[index] ?? null
                  return <td key={name}>{value === null ? 'none' : Math.round(value)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
