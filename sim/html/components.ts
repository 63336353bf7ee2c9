/** The building blocks of pages: tiles with a figure, cards with a chart, tables. */

import { count } from '../../server/terminal/text.ts'
import { html, trusted, type HtmlContent, Html, joined } from './html.ts'

type Tone = 'good' | 'bad' | 'warn'

export type Tile = {
  readonly name: string
  readonly value: HtmlContent
  /** Small text below the value. */
  readonly note?: HtmlContent
  readonly tone?: Tone | null
}

/** Returns the most important figures in large type. */
export function tiles(all: readonly Tile[]): Html {
  const tile = ({ name, value, note, tone }: Tile): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd class="${tone}">${unbroken(value)}</dd>
      ${note === undefined ? null : html`<dd>${unbroken(note)}</dd>`}
    </div> `
  return html`<dl class="tiles">${all.map(tile)}</dl>`
}

/** On a phone a tile is narrow, and `1 h 27 min` in two lines reads as two figures. */
function unbroken(content: HtmlContent): HtmlContent {
  if (typeof content !== 'string') return content
  const inside = /(?<=\d) (?=(?:d|h|min|s|%)(?![\w]))|(?<=\d (?:d|h)) (?=\d)/g
  return content.replaceAll(inside, '\u00A0')
}

type Card = {
  readonly title: string
  /** The message of the chart, in one sentence. */
  readonly about?: HtmlContent
  /** Missing if there is nothing to draw. */
  readonly body?: HtmlContent
  /** The pull requests of each bar. */
  readonly list?: BarList
  /** The numbers of the chart, as a table. */
  readonly numbers?: Table
  /** True if the card takes the full width of the page. */
  readonly isWide?: boolean
}

export function card({ title, about, body, list, numbers, isWide }: Card): Html {
  return html`<figure class="card${isWide === true ? ' wide' : ''}">
    <figcaption>
      <h3>${title}</h3>
      ${about === undefined ? null : html`<p class="soft">${about}</p>`}
    </figcaption>
    ${body} ${list && barList(title, list)}
    ${numbers && folded('show as a table', table(numbers, title))}
  </figure> `
}

/** Puts cards side by side, as many as there is room for. */
export function cards(all: readonly Html[]): Html {
  return html`<div class="cards">${all}</div>`
}

/** Content that the reader can expand. */
export function folded(summary: HtmlContent, body: HtmlContent): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details>`
}

export function bullets(lines: readonly HtmlContent[]): Html {
  return html`<ul>
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`
}

/** The title of a column, or a column whose cells lean to the right. */
export type Column = string | { readonly title: string; readonly leans: 'right' }

/** A column of numbers. */
export const right = (title: string): Column => ({ title, leans: 'right' })

/** What a cell says; with the number by which its column is sorted, or what colour it has on a page. */
export type Cell =
  | string
  | { readonly text: string; readonly value: number }
  | { readonly text: string; readonly tone: Tone | 'soft' }

export type Table<Content = HtmlContent | Cell> = {
  readonly head: readonly Column[]
  readonly rows: readonly (readonly Content[])[]
  /** True if a page with the script `sort` lets the reader sort the rows by each column. */
  readonly isSortable?: boolean
}

function contentOf(cell: HtmlContent | Cell): HtmlContent {
  if (typeof cell !== 'object' || cell === null || !('text' in cell) || cell instanceof Html)
    return cell
  return 'value' in cell
    ? html`<data value="${cell.value}">${cell.text}</data>`
    : html`<span class="${cell.tone}">${cell.text}</span>`
}

/** More characters are a sentence, for which a column is never narrow. */
const mostOfWords = 60

function sentenceIn(content: HtmlContent | Cell): string {
  const isCell = typeof content === 'object' && content !== null && 'text' in content
  const text = isCell ? content.text : content
  return typeof text === 'string' && text.length > mostOfWords ? 'sentence' : ''
}

/**
 * A table whose first column names the rows. If it is too wide, it scrolls horizontally. `name` is for
 * screen readers.
 */
export function table({ head, rows, isSortable = false }: Table, name: string): Html {
  const leaning = (index: number): string => (typeof head[index] === 'object' ? 'right' : '')
  const headCell = (column: Column, index: number): Html => {
    const title = typeof column === 'string' ? column : column.title
    return html`<th scope="col" class="${leaning(index)}">${title}</th>`
  }
  const cell = (content: HtmlContent | Cell, index: number): Html =>
    index === 0
      ? html`<th scope="row" class="${leaning(0)}">${contentOf(content)}</th>`
      : html`<td class="${leaning(index) || sentenceIn(content)}">${contentOf(content)}</td>`
  return html`<div
    class="scroll${isSortable ? ' sortable' : ''}"
    role="region"
    tabindex="0"
    aria-label="${name}, table"
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

/** The legend of a chart. Colours are names of style variables, for example `testing`. */
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

// The pull requests of each bar of a chart, as text below it. Without a script the reader unfolds
// all of them; with the script `bars` a bar unfolds its own.

/** Some pull requests of a bar, for example those that merged. */
type Members = {
  /** What they have in common; empty if the bar says it all. */
  readonly what: string
  readonly numbers: readonly number[]
}

export type Bar = {
  /** What the bar stands for and how much: its tooltip and the title of its list. */
  readonly about: string
  readonly members: readonly Members[]
  /** True if not all members were kept. */
  readonly hasMore?: boolean
}

/** Hidden until the script that makes it true has loaded. */
export const barsHint = html`<span id="bars-hint" hidden
  >A click or Enter on a bar lists its pull requests; arrows move between bars.</span
>`

/** Returns whether the row of a pull request is on the page. */
export type IsShown = (number: number) => boolean

/** At most this many pull requests of one kind are listed. */
export const mostListed = 200

type BarList = {
  /** A bar that is null lists nothing. */
  readonly bars: readonly (Bar | null)[]
  readonly isShown: IsShown
  /** What a bar stands for. */
  readonly each?: 'bar' | 'hour'
}

/** `title` is that of the chart. */
export function barList(title: string, { bars, isShown, each = 'bar' }: BarList): Html {
  return html`<details class="bars">
    <summary>list the pull requests of each ${each}</summary>
    <div role="group" tabindex="0" aria-label="${title}: pull requests of each ${each}">
      ${bars.map((bar, index) => (bar === null ? null : entryOf(bar, index, isShown)))}
    </div>
  </details>`
}

function entryOf({ about, members, hasMore }: Bar, index: number, isShown: IsShown): Html {
  const named = members.filter(({ numbers }) => numbers.length > 0)
  return html`<div data-bar="${index}">
    <h4>${about}</h4>
    ${named.map((each) => membersOf(each, isShown))}
    ${hasMore === true ? html`<p class="soft">and more, which were not kept</p>` : null}
  </div> `
}

function membersOf({ what, numbers }: Members, isShown: IsShown): Html {
  const left = numbers.length - mostListed
  const links = numbers
    .slice(0, mostListed)
    .map((number) => (isShown(number) ? html`<a href="#pr-${number}">${number}</a>` : number))
  return html`<p>
    ${what === '' ? null : html`<span class="soft">${what}</span> `}${joined(links, ', ')}${
      left > 0 ? ` and ${count(left)} more` : ''
    }
  </p> `
}
