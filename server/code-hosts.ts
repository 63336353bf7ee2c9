/** Loads the adapters of the code hosts that the queues of a server are on. */

import type { Logger } from 'pino'
import type { CodeHostPorts } from './code-host/api-code-host.ts'
import type { Adapter, ApiCodeHosts } from './code-host/code-hosts.ts'
import type { CodeHostOptions, HostOptions } from './hosting/options.ts'

type Kind = CodeHostOptions['kind']

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
export async function codeHostsFor(
  hosting: readonly HostOptions[],
  logger: Logger,
  ports: CodeHostPorts = {},
): Promise<ApiCodeHosts | null> {
  const kinds = new Set(hosting.flatMap(({ codeHost }) => codeHost?.kind ?? []))
  if (kinds.size === 0) return null
  const adapters = new Map<Kind, Adapter>()
  for (const kind of kinds) adapters.set(kind, await adapterFor(kind))
  const { ApiCodeHosts: Made } = await import('./code-host/code-hosts.ts')
  return new Made(adapters, logger, hosting, ports)
}
