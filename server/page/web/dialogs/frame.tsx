/** The frame of all dialogs: a real `<dialog>`, which keeps the focus and closes by Escape. */

import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { question, act } from '../model/ask.ts'
import { useSignal } from '@preact/signals'
import { say } from '../model/watched-queue.ts'
import { Refusal } from '../texts/texts.tsx'
import type { Action } from '../state/consequences.ts'

const closeDialog = (): void => {
  question.value = null
}

type FrameProps = { readonly title: ComponentChildren; readonly children: ComponentChildren }

export function DialogFrame({ title, children }: FrameProps): VNode {
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

type ActionDialogProps = {
  readonly title: ComponentChildren
  readonly actions: readonly Action[]
  /** What else the reader must say, by the name of the action. */
  readonly forms?: Readonly<Record<string, VNode>>
  /** The name of the action that is chosen at once. */
  readonly first?: string | undefined
}

/** First what can be done, each with a word on what it is; then what it will do. */
export function ActionDialog({ title, actions, forms = {}, first }: ActionDialogProps) {
  const chosen = useSignal(first)
  const action = actions.find(({ name }) => name === chosen.value)
  return (
    <DialogFrame title={title}>
      {action ? (
        <Confirm action={action} onBack={() => (chosen.value = undefined)}>
          {forms[action.name]}
        </Confirm>
      ) : (
        <>
          <ul class="choices">
            {actions.map(({ name, label, about, isHidden }) =>
              isHidden ? null : (
                <li key={name}>
                  <button type="button" onClick={() => (chosen.value = name)}>
                    <b>{label}</b>
                    <span class="soft">{about}</span>
                  </button>
                </li>
              ),
            )}
          </ul>
          <CloseButton />
        </>
      )}
    </DialogFrame>
  )
}

export function CloseButton(): VNode {
  return (
    <p class="buttons row">
      <button type="button" onClick={closeDialog}>
        Close
      </button>
    </p>
  )
}

type ConfirmProps = {
  readonly action: Pick<Action, 'consequences' | 'button' | 'act' | 'isGrave'>
  readonly children?: ComponentChildren
  readonly onBack?: () => void
}

/**
 * What will happen, and one button that does it. The dialog closes when the server has accepted the action; what changed
 * comes by the stream.
 */
export function Confirm({ action, children, onBack }: ConfirmProps): VNode {
  const { consequences, button, isGrave = false, act: asked } = action
  const send = async (): Promise<string | null> => {
    const refusal = asked && (await act(asked))
    if (refusal !== null) return refusal
    say(`Done: ${button}.`)
    closeDialog()
    return null
  }
  return (
    <SendForm
      send={send}
      words={[button, 'Sending…']}
      isGrave={isGrave}
      isDisabled={asked === null}
      onBack={[onBack ? 'Back' : 'Close', onBack ?? closeDialog]}
    >
      {children}
      {consequences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </SendForm>
  )
}

type SendFormProps = {
  /** Returns the refusal in words; null if it was accepted. */
  readonly send: () => Promise<string | null>
  /** What the button says, and what it says meanwhile. */
  readonly words: readonly [button: string, meanwhile: string]
  readonly isGrave?: boolean
  readonly isDisabled?: boolean
  /** The button beside it; null for none. */
  readonly onBack: readonly [text: string, act: () => void] | null
  readonly children: ComponentChildren
}

/** A form that is sent once, and says what is refused. */
export function SendForm({ send, words, isGrave, isDisabled, onBack, children }: SendFormProps) {
  const error = useSignal<string | null>(null)
  const isSending = useSignal(false)
  const submit = async (): Promise<void> => {
    if (isDisabled || isSending.value) return
    isSending.value = true
    error.value = await send()
    isSending.value = false
  }
  return (
    <form
      class="confirm"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children}
      <Refusal error={error.value} />
      <p class="buttons row">
        {onBack && (
          <button type="button" onClick={onBack[1]}>
            {onBack[0]}
          </button>
        )}
        <button
          type="submit"
          class={isGrave ? 'is-grave' : 'is-main'}
          aria-disabled={isDisabled === true || isSending.value}
        >
          {words[Number(isSending.value)]}
        </button>
      </p>
    </form>
  )
}
