/** How many were in the queue over the whole film, with the instant that is shown. */

import type { VNode } from 'preact'
import { memo } from '../../parts/memo.ts'
import type { Film } from '../film/film.ts'

const width = 1000
const height = 40

export function DepthStrip({ film, at }: { film: Film; at: number }): VNode {
  const x = ((width * at) / Math.max(1, film.endedAt)).toFixed(2)
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <Area film={film} />
      <path class="strip-now" d={`M${x} 0V${height}`} />
    </svg>
  )
}

const Area = memo(({ film }: { film: Film }) => <path class="strip-area" d={areaOf(film)} />)

export function mostIn(depth: Film['depth']): number {
  return depth.reduce((so, { count }) => Math.max(so, count), 0)
}

/** Steps up and down, as numbers are whole. */
export function areaOf({ depth, endedAt }: Pick<Film, 'depth' | 'endedAt'>): string {
  const most = Math.max(1, mostIn(depth))
  const x = (at: number): string => ((width * at) / Math.max(1, endedAt)).toFixed(1)
  const y = (count: number): string => (height - ((height - 2) * count) / most).toFixed(1)
  return `M0 ${height}${depth.map(({ at, count }) => `H${x(at)}V${y(count)}`).join('')}H${width}V${height}z`
}
