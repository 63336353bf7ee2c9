/** The field that finds a pull request. `/` moves the focus to it, and Enter opens the first match. */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { go, pullRequestPath } from '../model/route.ts'
import { type Named, PullRequestLink } from '../texts/texts.tsx'
import { rowsInOrder, type PageState } from '../state/fold.ts'

export function Find({ state }: { state: PageState }): VNode {
  const query = useSignal('')
  const found = matches(state, query.value)
  const close = (): void => {
    query.value = ''
  }
  const open = (event: Event): void => {
    event.preventDefault()
    const [first] = found
    if (!first) return
    close()
    go(pullRequestPath(state.queue.id, first.number))
  }
  return (
    <search class="find">
      <form onSubmit={open}>
        <input
          type="search"
          id="find"
          aria-label="Find a pull request by number or words"
          aria-keyshortcuts="/"
          placeholder="# or word"
          autocomplete="off"
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close()
          }}
        />
      </form>
      {query.value.trim() !== '' && (
        <div class="found">
          {found.length === 0 && <p class="soft">Nothing found.</p>}
          <ul onClick={close}>
            {found.map((each) => (
              <li key={each.number}>
                <PullRequestLink row={each} />
                {!state.rows.has(each.number) && <span class="soft"> open its page</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  )
}

// Finding a pull request by its number, or by words of its title or its author.

const most = 8

/** Returns at most eight. The one with exactly this number comes first, also if it is not listed: its page exists anyway. */
export function matches(state: PageState, query: string): Named[] {
  const words = query
    .toLowerCase()
    .replace(/^#/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const number = numberIn(query)
  const found = rowsInOrder(state).filter((row) => {
    const text =
      `${row.number} ${row.member?.title ?? ''} ${row.member?.author ?? ''}`.toLowerCase()
    return row.number !== number && words.every((word) => text.includes(word))
  })
  const exact = number === null ? [] : [state.rows.get(number) ?? { number }]
  return [...exact, ...found].slice(0, most)
}

/** The number of a pull request that somebody has written, be it with the sign before it; null for other words. */
export function numberIn(text: string): number | null {
  const [, digits] = /^\s*#?([1-9]\d{0,9})\s*$/.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}
