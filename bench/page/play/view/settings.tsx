/** Everything that can be set, in groups. */

import type { VNode } from 'preact'
import { type Field, type FieldName, fields } from '../settings/fields.ts'
import { change, changes, reset, scenario, source } from '../state/playground.ts'

const groups: readonly { readonly title: string; readonly names: readonly FieldName[] }[] = [
  { title: 'Your team', names: ['traffic', 'median', 'p95', 'breaks', 'clashes', 'flakes'] },
  { title: 'Your queue', names: ['slots', 'batch', 'wait', 'depth', 'optimistic', 'adaptive'] },
  { title: 'The draw', names: ['seed'] },
]

export function Settings(): VNode {
  const hasChanges = Object.keys(changes.value).length > 0
  return (
    <form
      class="settings sheet"
      id="settings"
      tabIndex={-1}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="section-head row">
        <h2>Settings</h2>
        <button
          type="button"
          aria-disabled={!hasChanges}
          onClick={() => {
            if (hasChanges) changes.value = {}
          }}
        >
          All as today
        </button>
      </div>
      {groups.map(({ title, names }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {names.map((name) => (
            <FieldRow key={name} name={name} />
          ))}
        </fieldset>
      ))}
    </form>
  )
}

// One setting: a slider, its number, and today's value.

type Props = { readonly name: FieldName }

function FieldRow({ name }: Props): VNode {
  const field = fields[name]
  const today = field.read(source.value.scenario)
  const value = field.read(scenario.value)
  const isChanged = value !== today
  const unit = field.unit === '' ? '' : ` ${field.unit}`
  return (
    <div class={`field${isChanged ? ' is-changed' : ''}`}>
      {field.kind === 'switch' ? (
        <Switch name={name} isOn={value === 1} />
      ) : (
        <Slider name={name} value={value} today={today} />
      )}
      <p class="about row soft" id={`about-${name}`}>
        {value === null ? 'This scenario lists its pull requests, so this is fixed.' : field.about}
        {isChanged && today !== null && (
          <button type="button" class="today" onClick={() => reset(name)}>
            today: {field.kind === 'switch' ? (today === 1 ? 'on' : 'off') : `${today}${unit}`}
            <span class="unseen">, set {field.label} back</span>
          </button>
        )}
      </p>
    </div>
  )
}

function Switch({ name, isOn }: Props & { isOn: boolean }): VNode {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        aria-describedby={`about-${name}`}
        onChange={({ currentTarget }) => change(name, Number(currentTarget.checked))}
      />
      {fields[name].label}
    </label>
  )
}

type SliderProps = Props & { readonly value: number | null; readonly today: number | null }

function Slider({ name, value, today }: SliderProps): VNode {
  const field = fields[name]
  const [least, , limit] = field.range
  const shared = {
    value: value ?? '',
    disabled: value === null,
    'aria-describedby': `about-${name}`,
  }
  const set = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const given = currentTarget.valueAsNumber
    if (Number.isFinite(given)) change(name, given)
  }
  return (
    <>
      <label class="name" for={`slider-${name}`}>
        {field.label}
      </label>
      <span class="number">
        <input
          type="number"
          aria-label={`${field.label}, as a number`}
          min={least}
          max={limit}
          step={field.step}
          {...shared}
          onChange={set}
        />
        <span class="unit small soft">{field.unit}</span>
      </span>
      <input
        type="range"
        id={`slider-${name}`}
        {...rangeOf(field, value, today)}
        {...shared}
        onInput={set}
      />
    </>
  )
}

/** A slider ends at the usual most, or at twice today's, and always holds its value. */
function rangeOf(
  { range: [min, max], step }: Field,
  value: number | null,
  today: number | null,
): { readonly min: number; readonly max: number; readonly step: number } {
  const most = Math.max(max, 2 * (today ?? 0), value ?? 0)
  const coarse = step < 1 && most > 20 ? 0.5 : step
  return { min: Math.max(min, step < 1 ? coarse : min), max: most, step: coarse }
}
