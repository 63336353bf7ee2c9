/** All queues of this server whose repository is on GitHub, and the webhooks for them. */

import type { Logger } from 'pino'
import type { Forge, ForgeParts, Forges, Hint } from '../hosting/forge.ts'
import type { GitAccess } from '../git/mirror.ts'
import type { HostOptions, Secret } from '../hosting/options.ts'
import { GitHubClient } from './client.ts'
import { GitHubForge, type GitHubPorts } from './github-forge.ts'
import type { HookPorts } from './hook.ts'

export class GitHubForges implements Forges {
  readonly #logger: Logger
  readonly #ports: GitHubPorts
  readonly #clients = new Map<string, GitHubClient>()
  readonly #forges: { readonly name: string; readonly forge: GitHubForge }[] = []
  readonly #secrets = new Set<Secret>()

  constructor(logger: Logger, ports: GitHubPorts = {}) {
    this.#logger = logger
    this.#ports = ports
  }

  /** Queues of one repository share a client, because they share its limits. */
  clientOf({ github }: HostOptions): GitHubClient | null {
    if (!github) return null
    const key = `${github.api} ${github.owner}/${github.name}`
    const known = this.#clients.get(key)
    const client = known ?? new GitHubClient(github, this.#logger, this.#ports.pace)
    this.#clients.set(key, client)
    return client
  }

  gitAccess(options: HostOptions): GitAccess | null {
    const client = this.clientOf(options)
    return client ? () => client.gitAccess(options.url) : null
  }

  open(options: HostOptions, parts: ForgeParts): Forge | null {
    const client = this.clientOf(options)
    if (!client || !options.github) return null
    const forge = new GitHubForge(client, options, parts, this.#ports)
    const { owner, name, webhookSecrets } = options.github
    this.#forges.push({ name: `${owner}/${name}`.toLowerCase(), forge })
    for (const secret of webhookSecrets) this.#secrets.add(secret)
    return forge
  }

  /** What the webhooks of all queues need. */
  get hook(): HookPorts {
    return {
      secrets: () => [...this.#secrets].map((secret) => secret()),
      hint: (repository, hint) => this.hint(repository, hint),
    }
  }

  /** Tells the queues of a repository where to look. */
  hint(repository: string, hint: Hint): void {
    for (const { name, forge } of this.#forges) {
      if (name === repository.toLowerCase()) forge.hint(hint)
    }
  }
}
