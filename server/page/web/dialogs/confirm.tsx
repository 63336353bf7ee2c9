/** The last step of an action: what will happen, and one button that does it. */

import type { ComponentChildren, VNode } from 'preact'
import { useSignal } from '@preact/signals'
import type { Act } from '../../answers.ts'
import { act } from '../model/act.ts'
import { say } from '../model/speech.ts'
import { closeDialog } from './frame.tsx'

type ConfirmProps = {
  /** What will happen, in sentences. */
  readonly consequences: readonly string[]
  readonly button: string
  /** Null while the form is not complete. */
  readonly action: Act | null
  readonly isGrave?: boolean
  readonly children?: ComponentChildren
  readonly onBack?: () => void
}

/** The dialog closes when the server has accepted the action; what changed comes by the stream. */
export function Confirm({
  consequences,
  button,
  action,
  isGrave,
  children,
  onBack,
}: ConfirmProps): VNode {
  const error = useSignal<string | null>(null)
  const isSending = useSignal(false)
  const send = async (): Promise<void> => {
    if (action === null || isSending.value) return
    isSending.value = true
    error.value = await act(action)
    isSending.value = false
    if (error.value !== null) return
    say(`Done: ${button}.`)
    closeDialog()
  }
  return (
    <form
      class="confirm"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {children}
      {consequences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {error.value !== null && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
      <p class="buttons row">
        <button type="button" onClick={onBack ?? closeDialog}>
          {onBack ? 'Back' : 'Close'}
        </button>
        <button
          type="submit"
          class={isGrave === true ? 'is-grave' : 'is-main'}
          aria-disabled={action === null || isSending.value}
        >
          {isSending.value ? 'Sending…' : button}
        </button>
      </p>
    </form>
  )
}
