/** The settings of a queue that matter from day to day. The others are changed by the API. */

import type { ComponentChildren, VNode } from 'preact'
import { useSignal, type Signal } from '@preact/signals'
import type { QueueHead } from '../../../../server/page/frame.ts'
import { settingsBetween, settingsOf, type Wished } from '../state/settings.ts'
import { Confirm } from './confirm.tsx'

export function SettingsForm({ queue, onBack }: { queue: QueueHead; onBack: () => void }): VNode {
  const wished = useSignal(settingsOf(queue))
  const { settings, changes } = settingsBetween(settingsOf(queue), wished.value)
  return (
    <Confirm
      consequences={changes.length === 0 ? ['Nothing is changed yet.'] : changes}
      button="Change the settings"
      action={changes.length === 0 ? null : { queue: queue.id, action: 'settings', settings }}
      onBack={onBack}
    >
      <Field name="Mode">
        <select
          value={wished.value.mode}
          onChange={({ currentTarget: { value } }) => {
            wished.value = { ...wished.value, mode: value === 'parallel' ? 'parallel' : 'single' }
          }}
        >
          <option value="single">single: one line for all</option>
          <option value="parallel">parallel: lanes by impacted targets</option>
        </select>
      </Field>
      <NumberField name="Runs at once" field="concurrency" wished={wished} least={1} />
      <Field name="Test several together as a batch">
        <input
          type="checkbox"
          checked={wished.value.batch}
          onChange={({ currentTarget: { checked } }) => {
            wished.value = { ...wished.value, batch: checked }
          }}
        />
      </Field>
      {wished.value.batch && (
        <>
          <NumberField name="Batch size" field="batchingMinSize" wished={wished} least={1} />
          <NumberField
            name="Longest wait for a batch, minutes"
            field="batchingMaxWaitTimeMinutes"
            wished={wished}
            least={0}
          />
        </>
      )}
    </Confirm>
  )
}

function Field({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <label class="field">
      {name}
      {children}
    </label>
  )
}

type NumberFieldProps = {
  readonly name: string
  readonly field: 'concurrency' | 'batchingMinSize' | 'batchingMaxWaitTimeMinutes'
  readonly wished: Signal<Wished>
  readonly least: number
}

function NumberField({ name, field, wished, least }: NumberFieldProps): VNode {
  return (
    <Field name={name}>
      <input
        type="number"
        required
        min={least}
        step={1}
        value={wished.value[field]}
        onInput={({ currentTarget: { value } }) => {
          if (/^\d{1,6}$/.test(value)) wished.value = { ...wished.value, [field]: Number(value) }
        }}
      />
    </Field>
  )
}
