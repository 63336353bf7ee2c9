/** A file may be dropped anywhere on the page. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'

type Props = { readonly onFile: (file: File) => void; readonly children: ComponentChildren }

export function DropZone({ onFile, children }: Props): VNode {
  const isOver = useSignal(false)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const hasFile = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') === true
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFile(event)) return
        event.preventDefault()
        isOver.value = true
      },
      { signal },
    )
    document.addEventListener(
      'dragleave',
      ({ relatedTarget }) => {
        if (relatedTarget === null) isOver.value = false
      },
      { signal },
    )
    document.addEventListener(
      'drop',
      (event) => {
        isOver.value = false
        if (!hasFile(event)) return
        event.preventDefault()
        const [file] = event.dataTransfer?.files ?? []
        if (file) onFile(file)
      },
      { signal },
    )
    return () => ending.abort()
  }, [])
  return (
    <>
      {children}
      {isOver.value && <div class="drop-here">Drop a scenario file</div>}
    </>
  )
}
