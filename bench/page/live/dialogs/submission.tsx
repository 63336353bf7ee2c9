/** Submits a pull request. */

import type { VNode } from 'preact'
import { useSignal } from '@preact/signals'
import type { PageState } from '../state/fold.ts'
import { Confirm } from './confirm.tsx'
import { DialogFrame } from './frame.tsx'

export function SubmissionDialog({ state }: { state: PageState }): VNode {
  const digits = useSignal('')
  const isAlone = useSignal(false)
  const number = Number(digits.value.trim().replace(/^#/, ''))
  const isNumber = Number.isSafeInteger(number) && number > 0
  return (
    <DialogFrame title="Submit a pull request">
      <Confirm
        consequences={isNumber ? consequencesOf(state, number) : []}
        button={isNumber ? `Submit #${number}` : 'Submit'}
        action={
          isNumber
            ? { queue: state.queue.id, action: 'submit', number, noBatch: isAlone.value }
            : null
        }
      >
        <label class="field">
          Number
          <input
            inputMode="numeric"
            autocomplete="off"
            required
            value={digits.value}
            onInput={(event) => (digits.value = event.currentTarget.value)}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={isAlone.value}
            onChange={(event) => (isAlone.value = event.currentTarget.checked)}
          />{' '}
          Test it alone, never in a batch
        </label>
      </Confirm>
    </DialogFrame>
  )
}

function consequencesOf({ rows, waiting }: PageState, number: number): string[] {
  if (rows.has(number)) return [`${number} is in the queue already. Only its options change.`]
  if (waiting.total === 0) return ['Nobody waits. It starts as soon as a slot is free.']
  return [`It goes behind the ${waiting.total.toLocaleString('en-GB')} that wait.`]
}
