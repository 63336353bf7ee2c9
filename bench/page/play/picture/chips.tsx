/** Pull requests as chips: the mark says the state, the number who it is. */

import type { VNode } from 'preact'
import { words, type Look } from '../../parts/looks.ts'
import { Mark } from '../../parts/mark.tsx'
import { memo } from '../../parts/memo.ts'
import { count } from '../../../../sim/terminal/text.ts'

type ChipProps = {
  readonly number: number
  /** Null: nothing is known about it. */
  readonly look: Look | null
}

const Chip = memo(({ number, look }: ChipProps) => (
  <li class={look === null ? 'chip' : `chip is-${look}`}>
    {look !== null && <Mark look={look} />}
    {number}
    {look !== null && <span class="unseen"> {words[look]}</span>}
  </li>
))

type ChipsProps = {
  readonly numbers: readonly number[]
  readonly look: Look | null
  /** If there are more, the others are only counted. */
  readonly most: number
  /** The count in as few letters as possible. */
  readonly isShort?: boolean
}

export function Chips({ numbers, look, most, isShort = false }: ChipsProps): VNode {
  const shown = numbers.length > most ? most - Number(isShort) : most
  const others = count(numbers.length - shown)
  return (
    <ul class="chips">
      {numbers.slice(0, shown).map((number) => (
        <Chip key={number} number={number} look={look} />
      ))}
      {numbers.length > shown && (
        <li class="soft">{isShort ? `+${others}` : `and ${others} more`}</li>
      )}
    </ul>
  )
}

/** Chips with a title and their count. */
export function Group({ title, ...chips }: ChipsProps & { title: string }): VNode {
  return (
    <div class="group">
      <h3>
        {title} <span class="soft">{count(chips.numbers.length)}</span>
      </h3>
      <Chips {...chips} />
    </div>
  )
}

type LeftProps = { readonly left: readonly { number: number; look: Look; at: number }[] }

/** Those that have left, each with how. */
export function LeftChips({ left }: LeftProps): VNode {
  return (
    <ul class="chips">
      {left.map(({ number, look, at }) => (
        <Chip key={`${number} ${at}`} number={number} look={look} />
      ))}
    </ul>
  )
}
