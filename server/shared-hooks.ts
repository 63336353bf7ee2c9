/**
 * Webhooks of code hosts, which reach any server. What they say is passed on to the one that works there. A
 * lost one is no harm: the next look sees the same.
 */

import type { HookPorts, NamedHint } from './forge/hook.ts'

export type PassedHint = { readonly path: string; readonly hint: NamedHint }

/** The same webhooks, for a server that may not be the one that works. */
export function passingOn(
  own: readonly HookPorts[],
  isWorking: () => boolean,
  passOn: (passed: PassedHint) => void,
): HookPorts[] {
  return own.map((each) => ({
    ...each,
    hint: (repository, hint) => {
      if (isWorking()) each.hint(repository, hint)
      else passOn({ path: each.path, hint: { ...hint, repository } })
    },
  }))
}

/** Heeds what was passed on to this server. */
export function heed(own: readonly HookPorts[], { path, hint }: PassedHint): void {
  own.find((each) => each.path === path)?.hint(hint.repository, hint)
}
