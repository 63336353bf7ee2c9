/** Pull requests as chips: the mark says the state, the number who it is. */

import type { VNode } from 'preact'
import { words, type Look } from '../../parts/looks.ts'
import { Mark } from '../../parts/mark.tsx'
import { memo } from '../../parts/memo.ts'
import { count } from '../../../../sim/terminal/text.ts'

type ChipProps = { readonly number: number; readonly look: Look }

const Chip = memo(({ number, look }: ChipProps) => (
  <li class={`chip is-${look}`}>
    <Mark look={look} />
    {number}
    <span class="unseen"> {words[look]}</span>
  </li>
))

type ChipsProps = {
  readonly numbers: readonly number[]
  readonly look: Look
  /** The others are only counted. */
  readonly most: number
  /** Said behind the chips. */
  readonly note?: string
}

export function Chips({ numbers, look, most, note }: ChipsProps): VNode {
  return (
    <ul class="chips">
      {numbers.slice(0, most).map((number) => (
        <Chip key={number} number={number} look={look} />
      ))}
      {numbers.length > most && <li class="soft">and {count(numbers.length - most)} more</li>}
      {note !== undefined && <li class="soft">{note}</li>}
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
