/** What pages are put together from: tiles with a figure, cards with a picture, tables. */

import { html, trusted, type Content, type Html } from './html.ts'

type Tone = 'good' | 'bad' | 'warn'

export type Tile = {
  readonly name: string
  readonly value: Content
  /** What stands below in small letters. */
  readonly note?: Content
  readonly tone?: Tone | null
}

/** Figures that one sees at a glance. */
export function tiles(all: readonly Tile[]): Html {
  const one = ({ name, value, note, tone }: Tile): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd class="${tone}">${value}</dd>
      ${note === undefined ? null : html`<dd>${note}</dd>`}
    </div> `
  return html`<dl class="tiles">${all.map(one)}</dl>`
}

export type Card = {
  readonly title: string
  /** What the picture says, in a sentence. */
  readonly about?: Content
  readonly body: Content
  /** The numbers behind the picture. */
  readonly numbers?: Html
  /** As wide as the page. */
  readonly isWide?: boolean
}

export function card({ title, about, body, numbers, isWide }: Card): Html {
  return html`<figure class="card${isWide === true ? ' wide' : ''}">
    <figcaption>
      <h3>${title}</h3>
      ${about === undefined ? null : html`<p class="soft">${about}</p>`}
    </figcaption>
    ${body} ${numbers === undefined ? null : folded('as a table', numbers)}
  </figure> `
}

/** Side by side: on a wide screen four, or three where they hold small print. */
export function cards(all: readonly Html[], across: 3 | 4 = 4): Html {
  return html`<div class="cards${across === 3 ? ' thirds' : ''}">${all}</div>`
}

/** Something to unfold. */
export function folded(summary: Content, body: Content): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details>`
}

export type Column = { readonly title: string; readonly leans?: 'right' }

/** A table whose first column names the rows. It scrolls sideways by itself where it is too wide. */
export function table(
  head: readonly Column[],
  rows: readonly (readonly Content[])[],
  { name }: { readonly name?: string } = {},
): Html {
  const leaning = (index: number): string => (head[index]?.leans === 'right' ? 'right' : '')
  const headCell = ({ title }: Column, index: number): Html =>
    html`<th scope="col" class="${leaning(index)}">${title}</th>`
  const cell = (content: Content, index: number): Html =>
    index === 0
      ? html`<th scope="row" class="${leaning(0)}">${content}</th>`
      : html`<td class="${leaning(index)}">${content}</td>`
  return html`<div
    class="scroll"
    role="region"
    tabindex="0"
    aria-label="${name === undefined ? 'Table' : `${name}, table`}"
  >
    <table>
      <thead>
        <tr>
          ${head.map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(cell)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`
}

/** What the colours of a picture mean. Colours are names of the style's variables, as `testing`. */
export function key(
  entries: readonly { readonly color: string; readonly means: string }[],
  of?: string,
): Html {
  const swatch = (color: string): Html =>
    trusted(
      `<svg viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1h-1z" fill="var(--${color})"/></svg>`,
    )
  return html`<ul class="key">
    ${of === undefined ? null : html`<li>${of}:</li>`}
    ${entries.map(({ color, means }) => html`<li>${swatch(color)}${means}</li>`)}
  </ul>`
}
