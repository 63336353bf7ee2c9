/** Signing in with a token. The server gives a cookie for it that no script can read. */

import type { VNode } from 'preact'
import { useSignal } from '@preact/signals'
import { hasExpired, isSigningIn, maySee, signIn } from '../model/session.ts'

export function SignIn(): VNode {
  const token = useSignal('')
  const error = useSignal<string | null>(null)
  const isSending = useSignal(false)
  const send = async (): Promise<void> => {
    if (isSending.value) return
    isSending.value = true
    error.value = await signIn(token.value.trim())
    isSending.value = false
  }
  return (
    <section class="sign-in" aria-labelledby="sign-in">
      <h1 id="sign-in">Sign in</h1>
      {hasExpired.value && <p class="warn">Your session has ended. Sign in again to go on.</p>}
      <form
        class="confirm"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {/* Lets a password manager keep the token. */}
        <input
          type="text"
          name="username"
          autocomplete="username"
          value="mergeyard"
          aria-label="Name"
          hidden
        />
        <label class="field">
          Token
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            required
            spellcheck={false}
            value={token.value}
            onInput={(event) => (token.value = event.currentTarget.value)}
          />
        </label>
        {error.value !== null && (
          <p class="error" role="alert">
            {error.value}
          </p>
        )}
        <p class="buttons">
          {maySee.value && (
            <button type="button" onClick={() => (isSigningIn.value = false)}>
              Back
            </button>
          )}
          <button type="submit" class="is-main" aria-disabled={isSending.value}>
            {isSending.value ? 'Signing in…' : 'Sign in'}
          </button>
        </p>
      </form>
      <p class="soft">
        An operator makes a token with <code>mergeyard token create</code>. With the scope{' '}
        <code>read</code> it may look, with <code>submit</code> also submit and cancel, with{' '}
        <code>admin</code> also pause queues and change settings.
      </p>
    </section>
  )
}
