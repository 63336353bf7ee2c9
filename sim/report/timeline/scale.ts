/** Converts instants to positions on the tracks of the timeline. */

import type { Millis } from '../../../engine/index.ts'

/** The width of a track in SVG units, independent of its width on the screen. */
export const trackWidth = 100_000

export type Scale = {
  readonly from: Millis
  readonly to: Millis
  /** The position in units of a track, rounded to a whole number. */
  readonly unit: (at: Millis) => number
  /** The position in percent of a track. */
  readonly percent: (at: Millis) => string
}

export function scaleOf(from: Millis, to: Millis): Scale {
  const length = Math.max(1, to - from)
  const share = (at: Millis): number => Math.min(1, Math.max(0, (at - from) / length))
  return {
    from,
    to: from + length,
    unit: (at) => Math.round(share(at) * trackWidth),
    percent: (at) => `${Math.round(share(at) * 1e5) / 1e3}%`,
  }
}

export type TimelineBar = { readonly from: Millis; readonly to: Millis }

/** Returns bars of full height as the `d` attribute of a path. */
export function barsPath(bars: readonly TimelineBar[], { unit }: Scale): string {
  return bars
    .map(({ from, to }) => {
      const start = unit(from)
      const width = Math.max(1, unit(to) - start)
      return `M${start} 0h${width}v10h-${width}z`
    })
    .join('')
}

/** Returns lines of full height as the `d` attribute of a path. */
export function linesPath(instants: readonly Millis[], { unit }: Scale): string {
  return instants.map((at) => `M${unit(at)} 0v10`).join('')
}
