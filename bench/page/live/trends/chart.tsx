/** A small chart of one or two lines over the hours, with the same numbers as a table below. */

import type { VNode } from 'preact'
import { clock } from '../../parts/clock-words.ts'
import { pathOf, topOf, type Series } from './series.ts'

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

export function Chart({ title, lines, hours, least }: ChartProps): VNode {
  const top = topOf(
    lines.flatMap(({ values }) => values),
    least,
  )
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
      <div class="plot">
        <Ticks top={top} hours={hours} />
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

function amount(value: number | null, unit: Series['unit']): string {
  if (value === null) return 'none'
  if (unit === '%') return `${Math.round(value)} %`
  return unit === 'minutes' ? `${Math.round(value)} min` : value.toLocaleString('en-GB')
}

const gridOf = ({ width, height }: typeof size): string =>
  `M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`

/** The ends of both axes. */
function Ticks({ top, hours }: { top: number; hours: readonly number[] }): VNode {
  const [first] = hours
  const last = hours.at(-1)
  return (
    <>
      <span class="ticks is-upright">
        <span>{top}</span>
        <span>0</span>
      </span>
      <span class="ticks">
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
