/** The keys of the page. None works while somebody types or a dialog is open. */

import { question } from '../model/act.ts'

export function followKeys(): void {
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
