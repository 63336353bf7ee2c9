/** The controls for search and zoom. They are hidden until the script that handles them has loaded. */

import { html, type Html } from '../page/html.ts'
import { remarks, type Remark, type PullRequestStory } from '../recording/story.ts'

const remarkNames: readonly Remark[] = ['evicted', 'bad', 'unproven']

/** `why` says why the timeline does not show all at first; null if it does. */
export function controls(stories: readonly PullRequestStory[], why: string | null): Html {
  const kinds = [
    ...(['merged', 'failed', 'cancelled'] as const)
      .filter((end) => stories.some((story) => story.end?.toLowerCase() === end))
      .map((end) => ({ value: end, text: end })),
    ...remarkNames
      .filter((remark) => stories.some((story) => story.remarks.has(remark)))
      .map((remark) => ({ value: remark, text: remarks[remark] })),
  ]
  return html`<form class="controls" role="search" hidden>
    <label
      >Search
      <input
        type="search"
        name="search"
        placeholder="number, run or word"
        autocomplete="off"
        aria-keyshortcuts="/"
    /></label>
    <label
      >Show
      <select name="kind">
        <option value="">all</option>
        ${kinds.map(({ value, text }) => html`<option value="${value}">${text}</option>`)}
      </select></label
    >
    <span role="group" aria-label="Zoom">
      <button type="button" name="out" aria-label="Zoom out" aria-keyshortcuts="-">−</button>
      <button type="button" name="in" aria-label="Zoom in" aria-keyshortcuts="+">+</button>
      <button type="button" name="whole" aria-keyshortcuts="0">show all</button>
    </span>
    <output name="found" class="soft"></output>
    <span class="hint soft"
      >Keys: <kbd>/</kbd> search, <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, arrows move,
      <kbd>Enter</kbd> expands</span
    >
    ${why === null ? null : html`<p class="opening">${why}</p>`}
  </form>`
}
