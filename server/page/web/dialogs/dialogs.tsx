/** The dialog that is open. */

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import type { QueueHead } from '../../frame.ts'
import { type Look, words, StateWord } from '../parts/mark.tsx'
import { question } from '../model/ask.ts'
import { pageState } from '../model/watched-queue.ts'
import { queueName, Foreign } from '../pieces/texts.tsx'
import { matches } from '../queue/find.tsx'
import {
  type QueueAction,
  ofQueueAction,
  type Wished,
  settingsBetween,
  settingsOf,
} from '../state/consequences.ts'
import { inQueue, type PageState } from '../state/fold.ts'
import { type Choice, Choices, Confirm, DialogFrame, closeDialog } from './frame.tsx'
import { PullRequestDialog } from './pull-request.tsx'

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
      return <QueueDialog state={state} first={asked.action ?? null} />
    case 'submission':
      return <SubmissionDialog state={state} first={asked.named ?? ''} />
  }
}

// The actions on the queue: pause, drain, resume, settings.

const pause = { name: 'pause', label: 'Pause…', about: 'Nothing starts, nothing merges.' } as const
const drain = { name: 'drain', label: 'Drain…', about: 'Finish the line, start nothing.' } as const
const resume = { name: 'resume', label: 'Resume…', about: 'Go on as usual.' } as const
const settings = {
  name: 'settings',
  label: 'Settings…',
  about: 'Mode, slots and batches.',
} as const

type Name = QueueAction | 'settings'

function choicesFor(state: QueueHead['state']): readonly Choice<Name>[] {
  switch (state) {
    case 'RUNNING':
      return [pause, drain, settings]
    case 'PAUSED':
      return [resume, drain, settings]
    case 'DRAINING':
      return [resume, pause, settings]
    case 'SWITCHING_MODES':
      return [settings]
  }
}

const buttons = { pause: 'Pause the queue', drain: 'Drain the queue', resume: 'Resume the queue' }

const ledTo = { pause: 'PAUSED', drain: 'DRAINING', resume: 'RUNNING' } as const

type QueueDialogProps = { readonly state: PageState; readonly first: Name | null }

function QueueDialog({ state, first }: QueueDialogProps): VNode {
  const chosen = useSignal(first)
  const back = (): void => {
    chosen.value = null
  }
  const { queue } = state
  const action = chosen.value
  return (
    <DialogFrame title={<bdi>{queueName(queue)}</bdi>}>
      {action === null && (
        <Choices choices={choicesFor(queue.state)} onChoose={(name) => (chosen.value = name)} />
      )}
      {action === 'settings' && <SettingsForm queue={queue} onBack={back} />}
      {action !== null && action !== 'settings' && (
        <Confirm
          consequences={ofQueueAction(state, action)}
          button={buttons[action]}
          queue={queue.id}
          action={{ operation: 'updateQueue', body: { state: ledTo[action] } }}
          isGrave={action === 'pause'}
          onBack={back}
        />
      )}
    </DialogFrame>
  )
}

// The settings of a queue that matter from day to day. The others are changed by the API.

function SettingsForm({ queue, onBack }: { queue: QueueHead; onBack: () => void }): VNode {
  const wished = useSignal(settingsOf(queue))
  const { settings: changed, changes } = settingsBetween(settingsOf(queue), wished.value)
  return (
    <Confirm
      consequences={changes.length === 0 ? ['Nothing is changed yet.'] : changes}
      button="Change the settings"
      queue={queue.id}
      action={changes.length === 0 ? null : { operation: 'updateQueue', body: changed }}
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
    <label class="field row">
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

// What the marks mean, and the keys.

const meanings: Readonly<Record<Look, string>> = {
  'not-ready': 'submitted, but something is missing before it may start',
  waiting: 'has its place and waits for a slot or a batch',
  testing: 'its tests run',
  passed: 'its tests passed; it merges when those before it have',
  held: 'its tests failed; the groups behind are awaited before that counts',
  bisecting: 'its batch failed, and parts of it are tested',
  merged: 'is on the branch',
  failed: 'breaks the tests, and has left the queue',
  conflicted: 'cannot be built on top of those before it',
  lost: 'a run without a verdict; it is repeated',
  cancelled: 'was taken out, or a run that nobody needs any more',
}

const keys = [
  ['/', 'find a pull request'],
  ['j and k', 'next and previous pull request'],
  ['Enter', 'open it'],
  ['?', 'this help'],
  ['Esc', 'close'],
] as const

const isLook = (text: string): text is Look => text in words

function HelpDialog(): VNode {
  return (
    <DialogFrame title="Help">
      <h3>Marks</h3>
      <dl class="help">
        {Object.keys(words)
          .filter(isLook)
          .map((look) => (
            <div key={look}>
              <dt>
                <StateWord look={look} />
              </dt>
              <dd>{meanings[look]}</dd>
            </div>
          ))}
      </dl>
      <h3>Keys</h3>
      <dl class="help">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="buttons row">
        <button type="button" onClick={closeDialog}>
          Close
        </button>
      </p>
    </DialogFrame>
  )
}

// Submits a pull request, named by its number, its branch, or words of a title that the page knows (A-321).

type SubmissionProps = { readonly state: PageState; readonly first: string }

function SubmissionDialog({ state, first }: SubmissionProps): VNode {
  const wish = useSignal(first)
  const isAlone = useSignal(false)
  const text = wish.value.trim()
  const { queue } = state
  const { number, branch } = namedBy(text)
  const found = number === null ? matches(state, text) : []
  const noBatch = isAlone.value
  const named = number !== null ? { pr: { number } } : branch !== null ? { branch } : null
  return (
    <DialogFrame title="Submit a pull request">
      <Confirm
        consequences={number === null ? [] : consequencesOf(state, number)}
        button={`Submit ${number === null ? (branch ?? '') : `#${number}`}`.trim()}
        queue={queue.id}
        action={named && { operation: 'submitPullRequest', body: { ...named, noBatch } }}
      >
        <label class="field row">
          Number, branch or title
          <input
            autocomplete="off"
            spellcheck={false}
            required
            value={wish.value}
            onInput={(event) => (wish.value = event.currentTarget.value)}
          />
        </label>
        {found.length > 0 && (
          <ul class="choices">
            {found.map((each) => (
              <li key={each.number}>
                <button type="button" onClick={() => (wish.value = String(each.number))}>
                  #{each.number} <Foreign text={each.member?.title ?? ''} />
                </button>
              </li>
            ))}
          </ul>
        )}
        {text !== '' && number === branch && found.length === 0 && (
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

/** A number, or what can be the name of a branch; both null for other words. */
function namedBy(text: string): { readonly number: number | null; readonly branch: string | null } {
  const digits = /^#?([1-9]\d{0,9})$/.exec(text)?.[1]
  if (digits !== undefined) return { number: Number(digits), branch: null }
  return { number: null, branch: /^[^\s~^:?*[\\]+$/.test(text) ? text : null }
}

function consequencesOf(state: PageState, number: number): string[] {
  const { waiting } = state
  if (inQueue(state, number))
    return [`#${number} is in the queue already. Only its options change.`]
  if (waiting.total === 0) return ['Nobody waits. It starts as soon as a slot is free.']
  return [`It goes behind the ${waiting.total.toLocaleString('en-GB')} that wait.`]
}
