/** The frame of all dialogs: a real `<dialog>`, which keeps the focus and closes by Escape. */

import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { question } from '../model/act.ts'

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
