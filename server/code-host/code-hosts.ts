/** All queues of this server whose repository is on a code host with an API, and the webhooks for them. */

import type { Logger } from 'pino'
import type { CodeHost, CodeHostParts, CodeHosts, HookNotification } from '../hosting/code-host.ts'
import type { GitAccess } from '../git/mirror.ts'
import type { CodeHostOptions, HostOptions, Secret } from '../hosting/options.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { CodeHostApi, Pace } from './api.ts'
import type { AskedOfCodeHost, Finding } from './finding.ts'
import { ApiCodeHost, type CodeHostPorts } from './api-code-host.ts'
import type { HookDialect, HookPorts } from './hook.ts'

/** What a code host brings along. Its methods are called with options of its own kind only. */
export type Adapter<Options extends CodeHostOptions = CodeHostOptions> = {
  open(options: Options, logger: Logger, pace: Pace | undefined): CodeHostApi
  readonly dialect: HookDialect
  /** The files and folders of a repository that configure the CI of the host. */
  readonly ciPaths: readonly string[]
  /** What a queue needs of the host. Rejects with `CodeHostFailed` if it cannot be asked at all. */
  findings(options: Options, logger: Logger, asked: AskedOfCodeHost): Promise<Finding[]>
}

export type Adapters = ReadonlyMap<CodeHostOptions['kind'], Adapter>

type Opened = {
  readonly kind: CodeHostOptions['kind']
  /** `owner/name`, in small letters: hosts do not tell large ones apart. */
  readonly name: string
  readonly codeHost: ApiCodeHost
}

export class ApiCodeHosts implements CodeHosts {
  readonly #adapters: Adapters
  readonly #logger: Logger
  readonly #ports: CodeHostPorts
  readonly #apis = new Map<string, CodeHostApi>()
  /** By the name of the queue. */
  readonly #opened = new Map<string, Opened>()
  readonly #secrets = new Map<CodeHostOptions['kind'], Set<Secret>>()

  constructor(
    adapters: Adapters,
    logger: Logger,
    /** The queues that may be opened: a webhook can come before. */
    hosting: readonly HostOptions[],
    ports: CodeHostPorts = {},
  ) {
    this.#adapters = adapters
    this.#logger = logger
    this.#ports = ports
    for (const { codeHost } of hosting) {
      if (!codeHost) continue
      const secrets = this.#secrets.get(codeHost.kind) ?? new Set()
      this.#secrets.set(codeHost.kind, secrets)
      for (const secret of codeHost.webhookSecrets) secrets.add(secret)
    }
  }

  /** Queues of one repository share the API, because they share its limits. */
  apiOf({ codeHost: options }: HostOptions): CodeHostApi | null {
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

  openToShow(options: HostOptions, parts: CodeHostParts): ApiCodeHost | null {
    const api = this.apiOf(options)
    return api && new ApiCodeHost(api, options, parts, this.#ports)
  }

  open(options: HostOptions, parts: CodeHostParts): CodeHost | null {
    const codeHost = this.openToShow(options, parts)
    if (!codeHost || !options.codeHost) return null
    const { kind, owner, name } = options.codeHost
    const opened = { kind, name: `${owner}/${name}`.toLowerCase(), codeHost }
    this.#opened.set(nameOfQueue(options.ref), opened)
    return codeHost
  }

  /** What the webhooks of all queues need, for each kind of host. */
  get hooks(): HookPorts[] {
    return [...this.#adapters].map(([kind, { dialect }]) => ({
      path: `/hooks/${kind}`,
      dialect,
      secrets: () => [...(this.#secrets.get(kind) ?? [])].map((secret) => secret()),
      notify: (repository, notification) => this.#notify(kind, repository, notification),
    }))
  }

  /** Tells the queues of a repository what to poll. */
  #notify(kind: CodeHostOptions['kind'], repository: string, notification: HookNotification): void {
    for (const { kind: is, name, codeHost } of this.#opened.values()) {
      if (is === kind && name === repository.toLowerCase()) codeHost.notify(notification)
    }
  }
}
