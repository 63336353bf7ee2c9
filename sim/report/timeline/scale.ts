/** Where an instant lies on the tracks of a timeline. */

import type { Millis } from '../../../engine/index.ts'

/** Tracks are this wide in units of their own, whatever that is on the screen. */
export const trackWidth = 100_000

export type Scale = {
  readonly from: Millis
  readonly to: Millis
  /** In units of a track, whole. */
  readonly unit: (at: Millis) => number
  /** In percent of a track. */
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

export type Bar = { readonly from: Millis; readonly to: Millis }

/** Bars from top to bottom, as the `d` of a path. */
export function barsPath(bars: readonly Bar[], { unit }: Scale): string {
  return bars
    .map(({ from, to }) => {
      const start = unit(from)
      const width = Math.max(1, unit(to) - start)
      return `M${start} 0h${width}v10h-${width}z`
    })
    .join('')
}

/** Lines from top to bottom, as the `d` of a path. */
export function linesPath(instants: readonly Millis[], { unit }: Scale): string {
  return instants.map((at) => `M${unit(at)} 0v10`).join('')
}
