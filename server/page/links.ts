/** Links from messages to the live page. */

import { pageAddress } from '../identity/page-address.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { PageOf } from '../webhooks/message.ts'
import type { PageOptions } from './live-page.ts'

/** Null for all, if there is no page or nobody has told its address. */
export function pagesOf(
  page: Pick<PageOptions, 'publicUrl'> | null,
  registry: Pick<QueueRegistry, 'find'>,
): PageOf {
  const { publicUrl = '' } = page ?? {}
  if (publicUrl === '') return () => null
  return (ref, number) => {
    const queue = registry.find(nameOfQueue(ref))
    return queue ? pageAddress(publicUrl, queue.ids, number) : null
  }
}
