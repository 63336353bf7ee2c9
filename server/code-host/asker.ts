/** Who asks for something on a host, and whether they may. */

import type { Actor } from '../../engine/index.ts'
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

/** As the timeline names who asked: no token has such a name. */
export function actorOf({ login }: Person, role: string | null, how: string): Actor {
  return { token: `@${login}${role === null ? '' : ` (${role})`}, by ${how}`, request: how }
}
