/** The actions on a pull request in the queue: cancel, restart, priority. */

import { type Signal, useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Act } from '../../frame.ts'
import { Foreign } from '../pieces/texts.tsx'
import { type RowAction, ofRowAction } from '../state/consequences.ts'
import { inQueue, type PageState } from '../state/fold.ts'
import { type Choice, Choices, Confirm, DialogFrame } from './frame.tsx'

const choices: readonly Choice<RowAction>[] = [
  { name: 'cancel', label: 'Cancel…', about: 'Take it out of the queue.' },
  { name: 'restart', label: 'Restart tests…', about: 'Test it again, at the same place.' },
  { name: 'priority', label: 'Priority…', about: 'Let it start sooner or later.' },
]

export function PullRequestDialog({ state, number }: { state: PageState; number: number }): VNode {
  const chosen = useSignal<RowAction | null>(null)
  const title = state.rows.get(number)?.member?.title
  return (
    <DialogFrame
      title={
        <>
          #{number} {title !== undefined && <Foreign text={title} />}
        </>
      }
    >
      {chosen.value === null ? (
        <Choices choices={choices} onChoose={(name) => (chosen.value = name)} />
      ) : (
        <Step
          state={state}
          number={number}
          action={chosen.value}
          onBack={() => (chosen.value = null)}
        />
      )}
    </DialogFrame>
  )
}

type StepProps = {
  readonly state: PageState
  readonly number: number
  readonly action: RowAction
  readonly onBack: () => void
}

const buttons = {
  cancel: 'Cancel',
  restart: 'Restart the tests of',
  priority: 'Change the priority of',
}

function Step({ state, number, action, onBack }: StepProps): VNode {
  const row = inQueue(state, number)
  const priority = useSignal(priorityOf(row?.member?.priority))
  const pr = { number }
  const acts: Readonly<Record<RowAction, Act>> = {
    cancel: { operation: 'cancelPullRequest', body: { pr } },
    restart: { operation: 'restartTestsOnPullRequest', body: { pr } },
    priority: { operation: 'submitPullRequest', body: { pr, priority: priority.value } },
  }
  return (
    <Confirm
      consequences={row ? ofRowAction(state, action, number) : [`${number} has left the queue.`]}
      button={`${buttons[action]} #${number}`}
      queue={state.queue.id}
      action={row ? acts[action] : null}
      isGrave={action === 'cancel'}
      onBack={onBack}
    >
      {action === 'priority' && <Priorities value={priority} />}
    </Confirm>
  )
}

// The choice of a priority.

const names = ['urgent', 'high', 'medium', 'low'] as const
type PriorityName = (typeof names)[number]

/** The values of the API; a lower value starts sooner. */
const values: Readonly<Record<PriorityName, number>> = {
  urgent: 0,
  high: 10,
  medium: 100,
  low: 200,
}

/** Returns the name of the value; that of the next value below if it has none of its own. */
function priorityOf(value = values.medium): PriorityName {
  return names.findLast((name) => values[name] <= value) ?? 'medium'
}

function Priorities({ value }: { value: Signal<PriorityName> }): VNode {
  return (
    <fieldset class="row">
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
