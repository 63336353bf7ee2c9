/** Who looks at the page. The token itself is never kept here: the server gives a cookie for it. */

import { computed, effect, signal } from '@preact/signals'
import type { Me } from '../../frame.ts'
import { get, post, refusals } from './ask.ts'

/** Null until the server has answered for the first time. */
export const me = signal<Me | null>(null)

/** Why `me` is unknown; null if it is not. */
export const meError = signal<string | null>(null)

export const maySee = computed(
  () => me.value !== null && (me.value.signedIn || me.value.publicPage),
)

/** Whether the reader was signed in before: then the session has ended. */
export const hasExpired = signal(false)

/** Whether a reader of the public view has asked to sign in. */
export const isSigningIn = signal(false)

export async function loadMe(): Promise<void> {
  const answered = await get<Me>('/page/me')
  if (answered.kind !== 'ok') {
    meError.value = answered.error
    return
  }
  if (me.value?.signedIn === true && !answered.body.signedIn) hasExpired.value = true
  meError.value = null
  me.value = answered.body
}

/** Returns the error in words, or null if it worked. */
export async function signIn(token: string): Promise<string | null> {
  const answered = await post('/page/sign-in', { token })
  if (answered.kind === 'ok') {
    hasExpired.value = false
    await loadMe()
    isSigningIn.value = false
    return null
  }
  const isWrong = answered.kind === 'refused' && answered.status === 401
  return isWrong
    ? 'This token is not valid. Check it, or ask an operator for a new one.'
    : answered.error
}

export async function signOut(): Promise<void> {
  await post('/page/sign-out', {})
  await loadMe()
  hasExpired.value = false
}

/** Actions on a pull request need the scope `submit`, those on a queue `admin`, which may do both. */
export const maySubmit = computed(() => hasScope('submit') || hasScope('admin'))
export const mayAdminister = computed(() => hasScope('admin'))

function hasScope(scope: string): boolean {
  return me.value?.scopes.includes(scope) ?? false
}

/** Loads `me` until it is known, and again when a request is refused or the page is seen again. */
export function followSession(): void {
  const load = async (): Promise<void> => {
    await loadMe()
    if (me.value === null) setTimeout(() => void load(), 2000)
  }
  void load()
  effect(() => {
    if (refusals.value > 0) void loadMe()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && me.value?.signedIn !== true) void loadMe()
  })
}
