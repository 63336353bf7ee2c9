/** The buttons of a pull request: its star, and its actions. */

import type { VNode } from 'preact'
import { question } from '../model/ask.ts'
import { maySubmit } from '../model/session.ts'
import { starredIn, toggleStar } from '../model/stars.ts'

type Target = { readonly queue: string; readonly number: number }

export function Star({ queue, number }: Target): VNode {
  const isStarred = starredIn(queue).includes(number)
  return (
    <button
      type="button"
      class="icon star"
      aria-pressed={isStarred}
      aria-label={`Star ${number}`}
      title={isStarred ? 'Remove from yours' : 'Show under yours'}
      onClick={() => toggleStar(queue, number)}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="m8 1.5 2 4.3 4.6.6-3.4 3.2.9 4.7L8 12l-4.1 2.3.9-4.7L1.4 6.4 6 5.8z" />
      </svg>
    </button>
  )
}

export function More({ number }: { number: number }): VNode | null {
  if (!maySubmit.value) return null
  return (
    <button
      type="button"
      class="icon more"
      aria-label={`Actions for ${number}`}
      aria-haspopup="dialog"
      title="Actions"
      onClick={() => {
        question.value = { about: 'pull request', number }
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2 6.5h3v3H2zM6.5 6.5h3v3h-3zM11 6.5h3v3h-3z" />
      </svg>
    </button>
  )
}
