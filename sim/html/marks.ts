/**
 * Marks of a chart with a text of their own: tooltips, and the bars whose pull requests the page
 * lists. A browser shows a title without a script; the script `bars` does the rest.
 */

import type { Bar } from './bar-list.ts'

/** A mark with `aria: true` and this encoding is a bar of the page, by the text in the field. */
export const barTarget = { description: { field: 'target' } } as const

/** Covers a bar and the space around it, so that a low bar can be met as well. */
export const targetMark = { type: 'rect', color: 'transparent', aria: true } as const

/** Returns a row for each bar that lists something: `row` with the text of the target. */
export function targetRows<Row extends object>(
  bars: readonly (Bar | null)[],
  row: (index: number) => Row,
): (Row & { readonly target: string })[] {
  return bars.flatMap((bar, index) =>
    bar === null ? [] : [{ ...row(index), target: `bar ${index}: ${bar.about}` }],
  )
}

/** Turns descriptions of marks into titles and, for bars, their index into `data-bar`. */
export function withTitles(svg: string): string {
  return svg.replaceAll(
    /<path aria-label="(?:bar (\d+): )?([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"([^>]*)\/>/g,
    (_whole, index: string | undefined, about: string, rest: string) => {
      const bar = index === undefined ? '' : ` data-bar="${index}"`
      // What has no colour is met by the pointer only if it says so.
      const meets = / fill="/.test(rest) ? '' : ' pointer-events="all"'
      return `<path${bar}${rest}${meets}><title>${about}</title></path>`
    },
  )
}
