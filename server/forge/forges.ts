/** All queues of this server whose repository is on a code host with an API, and the webhooks for them. */

import type { Logger } from 'pino'
import type { Forge, ForgeParts, Forges, Hint } from '../hosting/forge.ts'
import type { GitAccess } from '../git/mirror.ts'
import type { ForgeOptions, HostOptions, Secret } from '../hosting/options.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { ForgeApi, Pace } from './api.ts'
import type { AskedOfForge, Finding } from './finding.ts'
import { ApiForge, type ForgePorts } from './api-forge.ts'
import type { HookDialect, HookPorts } from './hook.ts'

/** What a code host brings along. Its methods are called with options of its own kind only. */
export type Adapter<Options extends ForgeOptions = ForgeOptions> = {
  open(options: Options, logger: Logger, pace: Pace | undefined): ForgeApi
  readonly dialect: HookDialect
  /** The files and folders of a repository that configure the CI of the host. */
  readonly ciPaths: readonly string[]
  /** What a queue needs of the host. Rejects with `ForgeFailed` if it cannot be asked at all. */
  findings(options: Options, logger: Logger, asked: AskedOfForge): Promise<Finding[]>
}

export type Adapters = ReadonlyMap<ForgeOptions['kind'], Adapter>

type Opened = {
  readonly kind: ForgeOptions['kind']
  /** `owner/name`, in small letters: hosts do not tell large ones apart. */
  readonly name: string
  readonly forge: ApiForge
}

export class ApiForges implements Forges {
  readonly #adapters: Adapters
  readonly #logger: Logger
  readonly #ports: ForgePorts
  readonly #apis = new Map<string, ForgeApi>()
  /** By the name of the queue. */
  readonly #opened = new Map<string, Opened>()
  readonly #secrets = new Map<ForgeOptions['kind'], Set<Secret>>()

  constructor(
    adapters: Adapters,
    logger: Logger,
    /** The queues that may be opened: a webhook can come before. */
    hosting: readonly HostOptions[],
    ports: ForgePorts = {},
  ) {
    this.#adapters = adapters
    this.#logger = logger
    this.#ports = ports
    for (const { forge } of hosting) {
      if (!forge) continue
      const secrets = this.#secrets.get(forge.kind) ?? new Set()
      this.#secrets.set(forge.kind, secrets)
      for (const secret of forge.webhookSecrets) secrets.add(secret)
    }
  }

  /** Queues of one repository share the API, because they share its limits. */
  apiOf({ forge: options }: HostOptions): ForgeApi | null {
    const adapter = options && this.#adapters.get(options.kind)
    if (!options || !adapter) return null
    const key = `${options.api} ${options.owner}/${options.name}`
    const api = this.#apis.get(key) ?? adapter.open(options, this.#logger, this.#ports.pace)
    this.#apis.set(key, api)
    return api
  }

  gitAccess(options: HostOptions): GitAccess | null {
    const api = this.apiOf(options)
    return api && (() => api.gitAccess(options.url))
  }

  open(options: HostOptions, parts: ForgeParts): Forge | null {
    const api = this.apiOf(options)
    if (!api || !options.forge) return null
    const forge = new ApiForge(api, options, parts, this.#ports)
    const { kind, owner, name } = options.forge
    const opened = { kind, name: `${owner}/${name}`.toLowerCase(), forge }
    this.#opened.set(nameOfQueue(options.ref), opened)
    return forge
  }

  /** What the webhooks of all queues need, for each kind of host. */
  get hooks(): HookPorts[] {
    return [...this.#adapters].map(([kind, { dialect }]) => ({
      path: `/hooks/${kind}`,
      dialect,
      secrets: () => [...(this.#secrets.get(kind) ?? [])].map((secret) => secret()),
      hint: (repository, hint) => this.#hint(kind, repository, hint),
    }))
  }

  /** Tells the queues of a repository where to look. */
  #hint(kind: ForgeOptions['kind'], repository: string, hint: Hint): void {
    for (const { kind: is, name, forge } of this.#opened.values()) {
      if (is === kind && name === repository.toLowerCase()) forge.hint(hint)
    }
  }
}
