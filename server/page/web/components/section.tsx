/** A part of a page with its title, by which screen readers name it. */

import type { ComponentChildren, HTMLAttributes, VNode } from 'preact'
import { useId } from 'preact/hooks'

type SectionProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  readonly title: ComponentChildren
  /** Beside the title. */
  readonly beside?: VNode
}

export function Section({ title, beside, children, ...attributes }: SectionProps): VNode {
  const id = useId()
  const heading = <h2 id={id}>{title}</h2>
  return (
    <section {...attributes} aria-labelledby={id}>
      {beside ? (
        <div class="section-head row">
          {heading}
          {beside}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  )
}
