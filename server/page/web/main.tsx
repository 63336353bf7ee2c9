/** Starts the live page. */

import { effect } from '@preact/signals'
import { render } from 'preact'
import { followAddress, route } from './model/route.ts'
import { startClock, followVisibility, pageState } from './model/watched-queue.ts'
import { followSession } from './model/session.ts'
import { startStars } from './model/stars.ts'
import { App } from './pages/app.tsx'
import { queueName } from './texts/texts.tsx'
import { question } from './model/ask.ts'

followAddress()
startStars()
startClock()
followKeys()
followVisibility()
followSession()

effect(() => {
  const state = pageState.value
  const place = route.value
  const parts = [
    ...(place.page === 'pull request' ? [`#${place.number}`] : []),
    ...(state ? [queueName(state.queue)] : []),
    'Mergeyard',
  ]
  document.title = parts.join(' · ')
})

const place = document.getElementById('page')
if (place) render(<App />, place)

// The keys of the page. None works while somebody types or a dialog is open.

function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]')) return
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  })
}

const actions: Readonly<Partial<Record<string, () => void>>> = {
  '/': () => document.querySelector<HTMLElement>('#find')?.focus(),
  '?': () => {
    question.value = { about: 'help' }
  },
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

/** Moves the focus to the link of the next pull request; it starts at the first one. */
function moveFocus(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main a[data-row]')]
  const row = document.activeElement?.closest('tr, li')
  const at = links.findIndex(
    (link) => link === document.activeElement || row?.contains(link) === true,
  )
  const next = at === -1 ? links[by === 1 ? 0 : links.length - 1] : links[at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
