/** The actions on the queue: pause, drain, resume, settings. */

import type { VNode } from 'preact'
import { useSignal } from '@preact/signals'
import type { QueueHead } from '../../../../server/page/frame.ts'
import { ofQueueAction, type QueueAction } from '../state/consequences.ts'
import type { PageState } from '../state/fold.ts'
import { queueName } from '../pieces/queue-name.ts'
import { Choices, type Choice } from './choices.tsx'
import { Confirm } from './confirm.tsx'
import { DialogFrame } from './frame.tsx'
import { SettingsForm } from './settings.tsx'

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

type QueueDialogProps = { readonly state: PageState; readonly first: Name | null }

export function QueueDialog({ state, first }: QueueDialogProps): VNode {
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
          action={{ queue: queue.id, action }}
          isGrave={action === 'pause'}
          onBack={back}
        />
      )}
    </DialogFrame>
  )
}
