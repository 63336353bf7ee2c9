/** Who asks for something on a host, and whether they may. */

import { isTerminal, type Actor, type PullRequestNumber } from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { CodeHostApi, Person } from './api.ts'

/** Who asks, if they may write at this moment; else why not. */
export async function askerOf(
  api: Pick<CodeHostApi, 'rightOf'>,
  by: Person | null,
  how: 'label' | 'comment',
): Promise<{ readonly actor: Actor } | { readonly refused: string }> {
  if (by === null) {
    return { refused: 'who asked is a program, or an account that is gone: ask again' }
  }
  const { mayWrite, role } = await api.rightOf(by)
  if (mayWrite) return { actor: actorOf(by, role, how) }
  const refused = `${by.login} (${role}) may not ask by ${how}: that needs the permission to write`
  return { refused }
}

const byLabel = ', by label'

/**
 * Whether a label has brought it in since it was in the queue last, with a later submission than `after`: its timeline
 * names who asked as `actorOf` does.
 */
export function isInByLabel(
  { engine, history }: ManagedQueue,
  number: PullRequestNumber,
  after: number,
): boolean {
  const { submission = 0 } = engine.queue.pullRequests[number] ?? {}
  const steps = stepsOf(history.pullRequests.get(number)?.timeline ?? [])
  const left = steps.findLastIndex(({ state }) => isTerminal(state))
  const isByLabel = steps.slice(left + 1).some(({ by }) => by?.endsWith(byLabel) === true)
  return submission > after && isByLabel
}

/** As the timeline names who asked: no token has such a name. */
export function actorOf({ login }: Person, role: string | null, how: string): Actor {
  return { token: `@${login}${role === null ? '' : ` (${role})`}, by ${how}`, request: how }
}
