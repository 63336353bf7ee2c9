/** The choice of a priority. */

import type { VNode } from 'preact'
import type { Signal } from '@preact/signals'

const names = ['urgent', 'high', 'medium', 'low'] as const
export type PriorityName = (typeof names)[number]

/** The values of the API; a lower value starts sooner. */
const values: Readonly<Record<PriorityName, number>> = {
  urgent: 0,
  high: 10,
  medium: 100,
  low: 200,
}

/** Returns the name of the value; that of the next value below if it has none of its own. */
export function priorityOf(value = values.medium): PriorityName {
  return names.findLast((name) => values[name] <= value) ?? 'medium'
}

export function Priorities({ value }: { value: Signal<PriorityName> }): VNode {
  return (
    <fieldset>
      <legend>Priority</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="priority"
            checked={value.value === name}
            onChange={() => (value.value = name)}
          />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  )
}
