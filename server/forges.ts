/** Loads the adapters of the code hosts that the queues of a server are on. */

import type { Logger } from 'pino'
import type { ForgePorts } from './forge/api-forge.ts'
import type { Adapter, ApiForges } from './forge/forges.ts'
import type { ForgeOptions, HostOptions } from './hosting/options.ts'

type Kind = ForgeOptions['kind']

/** Each is loaded only when it is needed, so that other servers start without it. */
const loads: Readonly<Record<Kind, () => Promise<Adapter>>> = {
  github: async () => (await import('./github/adapter.ts')).githubAdapter,
  gitea: async () => (await import('./gitea/adapter.ts')).giteaAdapter,
  gitlab: async () => (await import('./gitlab/adapter.ts')).gitlabAdapter,
}

export function adapterFor(kind: Kind): Promise<Adapter> {
  return loads[kind]()
}

/** Null: no queue is on a host with an API. */
export async function forgesFor(
  hosting: readonly HostOptions[],
  logger: Logger,
  ports: ForgePorts = {},
): Promise<ApiForges | null> {
  const kinds = new Set(hosting.flatMap(({ forge }) => forge?.kind ?? []))
  if (kinds.size === 0) return null
  const adapters = new Map<Kind, Adapter>()
  for (const kind of kinds) adapters.set(kind, await adapterFor(kind))
  const { ApiForges: Made } = await import('./forge/forges.ts')
  return new Made(adapters, logger, hosting, ports)
}
