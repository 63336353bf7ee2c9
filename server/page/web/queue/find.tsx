/** The field that finds a pull request. `/` moves the focus to it, and Enter opens the first match. */

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { MemberDetails } from '../../frame.ts'
import { go, pullRequestPath } from '../model/route.ts'
import { PullRequestLink } from '../texts/texts.tsx'
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
                {!each.isListed && <span class="soft"> open its page</span>}
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

type Found = {
  readonly number: number
  readonly member?: Pick<MemberDetails, 'title'>
  readonly isListed: boolean
}

/** Returns at most eight. A whole number is always among them, because its page exists anyway. */
export function matches(state: PageState, query: string): Found[] {
  const words = query
    .toLowerCase()
    .replace(/^#/, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const found: Found[] = []
  for (const { number, member } of rowsInOrder(state)) {
    const text = `${number} ${member?.title ?? ''} ${member?.author ?? ''}`.toLowerCase()
    if (words.every((word) => text.includes(word))) {
      found.push({ number, ...(member ? { member } : {}), isListed: true })
    }
  }
  return withExact(found, words)
}

/** The pull request with exactly this number comes first. */
function withExact(found: readonly Found[], [word = '', ...others]: readonly string[]): Found[] {
  const isNumber = /^[1-9]\d{0,9}$/.test(word) && others.length === 0
  if (!isNumber) return found.slice(0, most)
  const number = Number(word)
  const exact = found.find((each) => each.number === number) ?? { number, isListed: false }
  return [exact, ...found.filter((each) => each.number !== number)].slice(0, most)
}
