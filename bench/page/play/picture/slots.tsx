/** The slots, one row each: who is tested in it, how long already, on top of how many. */

import type { VNode } from 'preact'
import { Mark } from '../../parts/mark.tsx'
import { count } from '../../../../sim/terminal/text.ts'
import type { Scene, SlotScene } from '../film/scene.ts'
import { Chips } from './chips.tsx'
import { endLooks, endWords, progressWords } from './words.ts'

/** More rows cannot be followed. */
const mostRows = 40

/** As many chips fit beside each other. */
const mostChips = 4

export function Slots({ scene }: { scene: Scene }): VNode {
  const { slots, at } = scene
  const hidden = slots.slice(mostRows)
  const busy = hidden.filter(({ run, isOver }) => run !== null && !isOver).length
  return (
    <>
      <ol class="slots">
        {slots.slice(0, mostRows).map((slot) => (
          <SlotRow key={`${slot.kind} ${slot.slot}`} slot={slot} at={at} />
        ))}
      </ol>
      {hidden.length > 0 && (
        <p class="soft">
          and {count(hidden.length)} more slots, {count(busy)} of them in use
        </p>
      )}
    </>
  )
}

function SlotRow({
  slot: { kind, slot, run, isOver },
  at,
}: {
  slot: SlotScene
  at: number
}): VNode {
  const name = `${kind === 'main' ? 'slot' : 'bisection'} ${slot + 1}`
  if (!run) {
    return (
      <li class="slot is-free">
        <span class="slot-name">{name}</span>
        <span class="slot-words">free</span>
      </li>
    )
  }
  const testing = kind === 'main' ? 'testing' : 'bisecting'
  const look = isOver ? endLooks[run.ending] : testing
  const elapsed = Math.min(1, (at - run.from) / Math.max(1, run.to - run.from))
  return (
    <li class={`slot is-${look}${isOver ? ' is-over' : ''}`}>
      <span class="slot-name">
        {name}
        {run.below > 0 && <span class="below"> on top of {run.below}</span>}
      </span>
      <span class="slot-words">
        {isOver && <Mark look={look} />}
        {isOver ? endWords[run.ending] : progressWords(run, at)}
      </span>
      {/* A run that fails says nothing yet about each of those it tested. */}
      <Chips numbers={run.tested} look={isOver ? null : look} most={mostChips} isShort />
      <span class="slot-bar">
        <span style={{ transform: `scaleX(${elapsed.toFixed(4)})` }} />
      </span>
    </li>
  )
}
