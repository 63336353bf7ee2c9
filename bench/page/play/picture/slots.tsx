/** The slots, one row each: who is tested in it, how long already, on top of how many. */

import type { VNode } from 'preact'
import { count } from '../../../../sim/terminal/text.ts'
import type { Scene, SlotScene } from './scene.ts'
import { Chips } from './chips.tsx'
import { endLooks, slotWords } from './words.ts'

/** More rows cannot be followed. */
const mostRows = 40

/** More chips of one batch do not fit beside each other. */
const mostChips = 8

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

function SlotRow({ slot, at }: { slot: SlotScene; at: number }): VNode {
  const { kind, run, isOver } = slot
  const testing = kind === 'main' ? 'testing' : 'bisecting'
  const look = run && isOver ? endLooks[run.ending] : testing
  const elapsed = run ? Math.min(1, (at - run.from) / Math.max(1, run.to - run.from)) : 0
  return (
    <li class={`slot ${run ? `is-${look}` : 'is-free'}${isOver ? ' is-over' : ''}`}>
      <span class="slot-name">
        {kind === 'main' ? 'slot' : 'bisection'} {slot.slot + 1}
      </span>
      <span class="slot-words">{slotWords(slot, at)}</span>
      {run && (
        <Chips
          numbers={run.tested}
          look={look}
          most={mostChips}
          {...(run.below > 0 ? { note: `on top of ${run.below}` } : {})}
        />
      )}
      <span class="slot-bar">
        <span style={{ transform: `scaleX(${elapsed.toFixed(4)})` }} />
      </span>
    </li>
  )
}
