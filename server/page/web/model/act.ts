/** The actions of the page. Their results come by the stream; only refusals come back here. */

import { signal } from '@preact/signals'
import type { Act } from '../../answers.ts'
import { post } from './ask.ts'

/** What the dialog is about; null if it is closed. */
export type Question =
  | { readonly about: 'pull request'; readonly number: number }
  | { readonly about: 'queue'; readonly action?: 'resume' }
  /** Named: what the field says at first. */
  | { readonly about: 'submission'; readonly named?: string }
  | { readonly about: 'help' }

export const question = signal<Question | null>(null)

/** Returns the refusal in words, or null if the action was accepted. */
export async function act(action: Act): Promise<string | null> {
  const answered = await post('/page/act', action)
  if (answered.kind === 'ok') return null
  if (answered.kind === 'refused' && answered.status === 401) {
    return 'Your session has ended. Sign in again, then repeat it.'
  }
  return answered.error
}
