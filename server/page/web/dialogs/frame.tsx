/** The frame of all dialogs: a real `<dialog>`, which keeps the focus and closes by Escape. */

import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { question, act } from '../model/ask.ts'
import { useSignal } from '@preact/signals'
import type { Act } from '../../frame.ts'
import { say } from '../model/watched-queue.ts'

export const closeDialog = (): void => {
  question.value = null
}

export function DialogFrame({
  title,
  children,
}: {
  title: ComponentChildren
  children: ComponentChildren
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onClose={closeDialog}
      onClick={(event) => {
        // A click on the dialog itself, not on its content, is a click beside it.
        if (event.target === event.currentTarget) closeDialog()
      }}
    >
      <div class="dialog-body">
        <h2 id="dialog-title">{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

// The first step of a dialog: what can be done, each with a word on what it is.

export type Choice<Name extends string> = {
  readonly name: Name
  readonly label: string
  readonly about: string
}

type ChoicesProps<Name extends string> = {
  readonly choices: readonly Choice<Name>[]
  readonly onChoose: (name: Name) => void
}

export function Choices<Name extends string>({ choices, onChoose }: ChoicesProps<Name>): VNode {
  return (
    <>
      <ul class="choices">
        {choices.map(({ name, label, about }) => (
          <li key={name}>
            <button type="button" onClick={() => onChoose(name)}>
              <b>{label}</b>
              <span class="soft">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="buttons row">
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </p>
    </>
  )
}

// The last step of an action: what will happen, and one button that does it.

type ConfirmProps = {
  /** What will happen, in sentences. */
  readonly consequences: readonly string[]
  readonly button: string
  readonly queue: string
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
  queue,
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
    error.value = await act(queue, action)
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
