/** The first step of a dialog: what can be done, each with a word on what it is. */

import type { VNode } from 'preact'
import { closeDialog } from './frame.tsx'

export type Choice<Name extends string> = {
  readonly name: Name
  readonly label: string
  readonly about: string
}

type ChoicesProps<Name extends string> = {
  readonly choices: readonly Choice<Name>[]
  readonly onChoose: (name: Name) => void
}

export function Choices<Name extends string>({ choices, onChoose }: ChoicesProps<Name>): VNode {
  return (
    <>
      <ul class="choices">
        {choices.map(({ name, label, about }) => (
          <li key={name}>
            <button type="button" onClick={() => onChoose(name)}>
              <b>{label}</b>
              <span class="soft">{about}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="buttons row">
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </p>
    </>
  )
}
