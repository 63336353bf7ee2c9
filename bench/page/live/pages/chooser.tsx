/** The list of queues that the reader may see. */

import type { VNode } from 'preact'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { QueueList } from '../../../../server/page/answers.ts'
import type { QueueHead } from '../../../../server/page/frame.ts'
import { get } from '../model/ask.ts'
import { goInstead, queuePath } from '../model/route.ts'
import { Foreign } from '../pieces/texts.tsx'
import { queueName } from '../pieces/queue-name.ts'

const stateWords = {
  RUNNING: 'running',
  PAUSED: 'paused',
  DRAINING: 'draining',
  SWITCHING_MODES: 'switching modes',
} as const

export function Chooser(): VNode {
  const queues = useSignal<readonly QueueHead[] | null>(null)
  const error = useSignal<string | null>(null)
  useEffect(() => {
    const load = async (): Promise<void> => {
      const answered = await get<QueueList>('/page/queues')
      if (answered.kind !== 'ok') {
        error.value = answered.error
        return
      }
      const [first, ...others] = answered.body.queues
      // There is nothing to choose.
      if (first && others.length === 0) goInstead(queuePath(first.id))
      else queues.value = answered.body.queues
    }
    void load()
  }, [])
  return (
    <section class="chooser" aria-labelledby="queues">
      <h1 id="queues">Queues</h1>
      {error.value !== null && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
      {queues.value !== null && <QueueItems queues={queues.value} />}
    </section>
  )
}

function QueueItems({ queues }: { queues: readonly QueueHead[] }): VNode {
  if (queues.length === 0) {
    return (
      <p>
        There is no queue that you may see. An operator makes one with the operation{' '}
        <code>createQueue</code> of the <a href="/docs">API</a>, or with{' '}
        <code>mergeyard serve</code>.
      </p>
    )
  }
  return (
    <ul class="queues">
      {queues.map((queue) => (
        <li key={queue.id}>
          <a href={queuePath(queue.id)} data-row={queue.id}>
            <b>
              <bdi>{queueName(queue)}</bdi>
            </b>
            <span class="soft">
              <Foreign text={queue.host} />
            </span>
            <span class={queue.state === 'RUNNING' ? 'soft' : 'warn'}>
              {stateWords[queue.state]}, {queue.slotsUsed} of {queue.concurrency} slots used
            </span>
            {queue.faults.slice(0, 1).map((fault) => (
              <span class="bad" key={fault}>
                not ready: <Foreign text={fault} />
              </span>
            ))}
          </a>
        </li>
      ))}
    </ul>
  )
}
