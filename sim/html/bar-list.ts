/**
 * The pull requests of each bar of a chart, as text below it. Without a script the reader unfolds
 * all of them; with the script `bars` a bar unfolds its own.
 */

import { count } from '../../server/terminal/text.ts'
import { html, joined, type Html } from './html.ts'

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

/** `title` is that of the chart, `each` what a bar stands for. A bar that is null lists nothing. */
export function barList(
  title: string,
  bars: readonly (Bar | null)[],
  { isShown, each = 'bar' }: { readonly isShown: IsShown; readonly each?: 'bar' | 'hour' },
): Html {
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
