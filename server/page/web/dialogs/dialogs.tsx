/** The dialog that is open. */

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { isLook, looks, StateWord } from '../components/mark.tsx'
import { question } from '../model/ask.ts'
import { pageState } from '../model/watched-queue.ts'
import { queueName, Foreign } from '../texts/texts.tsx'
import { matches, numberIn } from '../queue/find.tsx'
import {
  type Priority,
  priorities,
  queueActions,
  rowActions,
  type Settings,
  settingsAction,
  settingsOf,
} from '../state/consequences.ts'
import { inQueue, type PageState } from '../state/fold.ts'
import { ActionDialog, CloseButton, Confirm, DialogFrame } from './frame.tsx'

export function Dialogs(): VNode | null {
  const asked = question.value
  if (asked === null) return null
  if (asked.about === 'help') return <HelpDialog />
  const state = pageState.value
  if (state === null) return null
  switch (asked.about) {
    case 'pull request':
      return <PullRequestDialog state={state} number={asked.number} />
    case 'queue':
      return <QueueDialog state={state} first={asked.action} />
    case 'submission':
      return <SubmissionDialog state={state} first={asked.named ?? ''} />
  }
}

// The actions on a pull request in the queue.

function PullRequestDialog({ state, number }: { state: PageState; number: number }): VNode {
  const { member } = state.rows.get(number) ?? {}
  const priority = useSignal(nameOfPriority(member?.priority))
  const title = (
    <>
      #{number} {member && <Foreign text={member.title} />}
    </>
  )
  return (
    <ActionDialog
      title={title}
      actions={rowActions(state, number, priority.value)}
      forms={{ priority: <Priorities value={priority} /> }}
    />
  )
}

const isPriority = (name: string): name is Priority => name in priorities
const namesOfPriorities = Object.keys(priorities).filter(isPriority)

/** Returns the name of the value; that of the next value below if it has none of its own. */
function nameOfPriority(value: number = priorities.medium): Priority {
  return namesOfPriorities.findLast((name) => priorities[name] <= value) ?? 'medium'
}

function Priorities({ value }: { value: Signal<Priority> }): VNode {
  return (
    <fieldset class="row">
      <legend>Priority</legend>
      {namesOfPriorities.map((name) => (
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

// The actions on the queue: pause, drain, resume, and the settings that matter from day to day. The others are changed
// by the API.

type QueueDialogProps = { readonly state: PageState; readonly first: string | undefined }

function QueueDialog({ state, first }: QueueDialogProps): VNode {
  const { queue } = state
  const settings = useSignal(settingsOf(queue))
  return (
    <ActionDialog
      title={<bdi>{queueName(queue)}</bdi>}
      actions={[...queueActions(state), settingsAction(queue, settings.value)]}
      forms={{ settings: <SettingsForm settings={settings} /> }}
      first={first}
    />
  )
}

function SettingsForm({ settings }: { settings: Signal<Settings> }): VNode {
  const set = (change: Partial<Settings>): void => {
    settings.value = { ...settings.value, ...change }
  }
  return (
    <>
      <Field name="Mode">
        <select
          value={settings.value.mode}
          onChange={({ currentTarget: { value } }) =>
            set({ mode: value === 'parallel' ? 'parallel' : 'single' })
          }
        >
          <option value="single">single: one line for all</option>
          <option value="parallel">parallel: lanes by impacted targets</option>
        </select>
      </Field>
      <NumberField name="Runs at once" field="concurrency" settings={settings} least={1} />
      <Field name="Test several together as a batch">
        <input
          type="checkbox"
          checked={settings.value.batch}
          onChange={({ currentTarget: { checked } }) => set({ batch: checked })}
        />
      </Field>
      {settings.value.batch && (
        <>
          <NumberField name="Batch size" field="batchingMinSize" settings={settings} least={1} />
          <NumberField
            name="Longest wait for a batch, minutes"
            field="batchingMaxWaitTimeMinutes"
            settings={settings}
            least={0}
          />
        </>
      )}
    </>
  )
}

function Field({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <label class="field row">
      {name}
      {children}
    </label>
  )
}

type NumberFieldProps = {
  readonly name: string
  readonly field: 'concurrency' | 'batchingMinSize' | 'batchingMaxWaitTimeMinutes'
  readonly settings: Signal<Settings>
  readonly least: number
}

function NumberField({ name, field, settings, least }: NumberFieldProps): VNode {
  return (
    <Field name={name}>
      <input
        type="number"
        required
        min={least}
        step={1}
        value={settings.value[field]}
        onInput={({ currentTarget: { value } }) => {
          if (/^\d{1,6}$/.test(value))
            settings.value = { ...settings.value, [field]: Number(value) }
        }}
      />
    </Field>
  )
}

// What the marks mean, and the keys.

const keys = [
  ['/', 'find a pull request'],
  ['j and k', 'next and previous pull request'],
  ['Enter', 'open it'],
  ['?', 'this help'],
  ['Esc', 'close'],
] as const

function HelpDialog(): VNode {
  const marks = Object.keys(looks).filter(isLook)
  return (
    <DialogFrame title="Help">
      <h3>Marks</h3>
      <Meanings of={marks.map((look) => [<StateWord look={look} />, looks[look].means])} />
      <h3>Keys</h3>
      <Meanings of={keys.map(([key, does]) => [<kbd>{key}</kbd>, does])} />
      <CloseButton />
    </DialogFrame>
  )
}

function Meanings({ of }: { of: readonly (readonly [VNode, string])[] }): VNode {
  return (
    <dl class="help">
      {of.map(([sign, means]) => (
        <div key={means}>
          <dt>{sign}</dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  )
}

// Submits a pull request, named by its number, its branch, or words of a title that the page knows (A-321).

type SubmissionProps = { readonly state: PageState; readonly first: string }

function SubmissionDialog({ state, first }: SubmissionProps): VNode {
  const written = useSignal(first)
  const isAlone = useSignal(false)
  const text = written.value.trim()
  const named = namedBy(text)
  const { number = null, branch = '' } = named ?? {}
  const found = number === null ? matches(state, text) : []
  const action: Parameters<typeof Confirm>[0]['action'] = {
    consequences: number === null ? [] : consequencesOf(state, number),
    button: `Submit ${number === null ? branch : `#${number}`}`.trim(),
    act: named && {
      operation: 'submitPullRequest',
      body: { ...named.body, noBatch: isAlone.value },
    },
  }
  return (
    <DialogFrame title="Submit a pull request">
      <Confirm action={action}>
        <label class="field row">
          Number, branch or title
          <input
            autocomplete="off"
            spellcheck={false}
            required
            value={written.value}
            onInput={(event) => (written.value = event.currentTarget.value)}
          />
        </label>
        {found.length > 0 && (
          <ul class="choices">
            {found.map((each) => (
              <li key={each.number}>
                <button type="button" onClick={() => (written.value = String(each.number))}>
                  #{each.number} <Foreign text={each.member?.title ?? ''} />
                </button>
              </li>
            ))}
          </ul>
        )}
        {text !== '' && !named && found.length === 0 && (
          <p class="soft">
            No title that this page knows has these words. Name its number or its branch.
          </p>
        )}
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

type Named =
  | { readonly number: number; readonly branch?: never; readonly body: { pr: { number: number } } }
  | { readonly number?: never; readonly branch: string; readonly body: { branch: string } }

/** A number, or what can be the name of a branch; null for other words. */
function namedBy(text: string): Named | null {
  const number = numberIn(text)
  if (number !== null) return { number, body: { pr: { number } } }
  return /^[^\s~^:?*[\\]+$/.test(text) ? { branch: text, body: { branch: text } } : null
}

function consequencesOf(state: PageState, number: number): string[] {
  const { waiting } = state
  if (inQueue(state, number))
    return [`#${number} is in the queue already. Only its options change.`]
  if (waiting.total === 0) return ['It starts as soon as a slot is free.']
  return [`It goes behind the ${waiting.total.toLocaleString('en-GB')} that wait.`]
}
