/** The field that finds a pull request. `/` moves the focus to it, and Enter opens the first match. */

import type { VNode } from 'preact'
import { useSignal } from '@preact/signals'
import { go, pullRequestPath } from '../model/route.ts'
import type { PageState } from '../state/fold.ts'
import { matches } from '../state/matches.ts'
import { PullRequestLink } from '../pieces/texts.tsx'

export function Find({ state }: { state: PageState }): VNode {
  const wish = useSignal('')
  const found = matches(state, wish.value)
  const queue = state.queue.id
  const close = (): void => {
    wish.value = ''
  }
  const open = (event: Event): void => {
    event.preventDefault()
    const [first] = found
    if (!first) return
    close()
    go(pullRequestPath(queue, first.number))
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
          value={wish.value}
          onInput={(event) => (wish.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close()
          }}
        />
      </form>
      {wish.value.trim() !== '' && (
        <div class="found">
          {found.length === 0 && <p class="soft">Nothing found.</p>}
          <ul onClick={close}>
            {found.map((each) => (
              <li key={each.number}>
                <PullRequestLink queue={queue} row={each} />
                {!each.isListed && <span class="soft"> open its page</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  )
}
