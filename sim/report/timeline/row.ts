/** One row of a timeline: its name, its track, and what unfolds below it. */

import { html, trusted, type Content, type Html } from '../html.ts'
import { trackWidth } from './scale.ts'

export type Row = {
  readonly id: string
  readonly name: Content
  /** How it ended or what it is, in a word. */
  readonly end: Content
  readonly classes: readonly string[]
  /** Paths, in units of the track. */
  readonly track: Html
  readonly story: Content
}

export function rowOf({ id, name, end, classes, track, story }: Row): Html {
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

/** A path of a class, if there is anything to draw. */
export function path(kind: string, d: string): Html | null {
  return d === '' ? null : trusted(`<path class="${kind}" d="${d}"/>`)
}
