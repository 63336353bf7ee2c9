/**
 * Lines between groups of a lane: from each group to those that are tested on top of it. They are drawn
 * where the groups have come to lie; the same is said in each group, so a reader needs no line.
 */

import type { RefObject, VNode } from 'preact'
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Lane } from '../state/lanes.ts'

type DependenceLinesProps = {
  readonly lane: Lane
  readonly list: RefObject<HTMLOListElement | null>
}

export function DependenceLines({ lane, list }: DependenceLinesProps): VNode {
  const path = useSignal('')
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const draw = (): void => {
      path.value = linesIn(element, lane)
    }
    draw()
    const observer = new ResizeObserver(draw)
    observer.observe(element)
    return () => observer.disconnect()
  }, [lane])
  return (
    <svg class="dependences" aria-hidden="true">
      <path d={path.value} />
    </svg>
  )
}

/** The height of a line above the lower end of the head of a group. */
const drop = 18

function linesIn(list: HTMLElement, lane: Lane): string {
  const places = new Map(
    [...list.children].flatMap((child) =>
      child instanceof HTMLElement ? [[Number(child.dataset['group']), child] as const] : [],
    ),
  )
  return lane.groups
    .flatMap(({ group, below }) =>
      below.map(({ id }) => lineBetween(places.get(id), places.get(group.id))),
    )
    .join('')
}

/** From the right edge of the one to the left edge of the other. */
function lineBetween(below: HTMLElement | undefined, above: HTMLElement | undefined): string {
  if (!below || !above) return ''
  const from = { x: below.offsetLeft + below.offsetWidth, y: below.offsetTop + drop }
  const to = { x: above.offsetLeft, y: above.offsetTop + drop }
  if (to.x < from.x) return ''
  const middle = to.x - 7
  return `M${from.x} ${from.y}H${middle}V${to.y}H${to.x}`
}
