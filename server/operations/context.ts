/** What an operation gets beside its body. */

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import { recordOf } from '../http/request-record.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { Context } from './operation.ts'

/** What is the same for all requests to a server. */
export type ServerContext = Pick<Context, 'stateCase' | 'hosting'>

/** Every command of the request carries its id and the name of its token. */
export function contextOf(
  { stateCase, hosting }: ServerContext,
  manager: QueueManager,
  { request, caller }: { readonly request: IncomingMessage; readonly caller: Caller },
): Context {
  const actor = { token: caller.name, request: recordOf(request).id }
  return {
    manager: {
      registry: manager.registry,
      now: manager.now,
      send: (queue, command) => manager.send(queue, command, actor),
    },
    caller,
    stateCase,
    hosting,
  }
}
