/** A row of the timeline: its name, its track, and the story that the reader can expand. */

import { html, trusted, type HtmlContent, type Html } from '../../html/html.ts'
import { trackWidth } from './scale.ts'

export type TimelineRow = {
  readonly id: string
  readonly name: HtmlContent
  /** The outcome or kind, in one word. */
  readonly end: HtmlContent
  readonly classes: readonly string[]
  /** SVG paths, in units of the track. */
  readonly track: Html
  readonly story: HtmlContent
}

export function rowOf({ id, name, end, classes, track, story }: TimelineRow): Html {
  const drawing = html`<svg viewBox="0 0 ${trackWidth} 10" preserveAspectRatio="none">
    ${track}
  </svg>`
  return html`<details class="row ${classes.join(' ')}" id="${id}">
    <summary>
      <span class="name">${name} <span class="end">${end}</span></span>
      ${drawing}
    </summary>
    <div class="story">${story}</div>
  </details>`
}

/** Returns an SVG path with a class; null if there is nothing to draw. */
export function path(kind: string, d: string): Html | null {
  return d === '' ? null : trusted(`<path class="${kind}" d="${d}"/>`)
}
