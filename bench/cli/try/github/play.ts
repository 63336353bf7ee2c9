/** Plays `try --github`: a real server merges the pull requests of a scratch repository on GitHub. */

import { pino } from 'pino'
import { isTerminal, type Event, type PullRequestView } from '../../../../engine/index.ts'
import { serverDefaults } from '../../../../server/server-defaults.ts'
import { GitHubClient } from '../../../../server/github/client.ts'
import type { ForgePorts } from '../../../../server/forge/api-forge.ts'
import { pullAt } from '../../../../server/github/pulls.ts'
import type { HostOptions } from '../../../../server/hosting/options.ts'
import { nameOfQueue } from '../../../../server/identity/queue-ref.ts'
import { startServer } from '../../../../server/server.ts'
import { addLabel, changes, openPulls, pushBranches, removeBranches } from './scratch.ts'

export type TryOptions = {
  /** The folder of the server. */
  readonly data: string
  readonly host: Omit<HostOptions, 'set'>
  readonly mergeMethod: 'merge_commit' | 'squash' | 'rebase'
  readonly isKept: boolean
}

export type TryPorts = {
  readonly forge: ForgePorts
  readonly now: () => number
  readonly write: (line: string) => void
  readonly onEvents: (events: readonly Event[]) => void
  readonly mostMs: number
}

type Result = { readonly what: string; readonly isOk: boolean; readonly words: string }

const label = 'merge-queue-submit'

/** Returns what came true, and what did not. Rejects if GitHub cannot be worked on. */
export async function playOnGitHub(options: TryOptions, ports: TryPorts): Promise<Result[]> {
  const { host, isKept } = options
  if (host.forge?.kind !== 'github') throw new Error('the repository is not on GitHub')
  const client = new GitHubClient(host.forge, pino({ enabled: false }), ports.forge.pace)
  const scratch = { url: host.url, branch: host.ref.targetBranch }
  await pushBranches(client, scratch, ports.now())
  try {
    const numbers = await openPulls(client, scratch)
    ports.write(`opened ${numbers.map((number) => `#${number}`).join(' ')} for ${scratch.branch}\n`)
    const pullRequests = await merged(options, ports, { client, numbers })
    return await judged(client, numbers, pullRequests)
  } finally {
    if (!isKept) await removeBranches(client, scratch)
  }
}

type Opened = { readonly client: GitHubClient; readonly numbers: readonly number[] }

/** Labels all of them, and waits until the queue has dealt with each. */
async function merged(
  { data, host, mergeMethod }: TryOptions,
  { forge, onEvents, mostMs }: TryPorts,
  { client, numbers }: Opened,
): Promise<PullRequestView[]> {
  const set = {
    ...{ batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0, concurrency: 2 },
    ...{ mergeMethod, requiredStatuses: ['ci'], createPrsForTestingBranches: false },
    ...{ labelCommandsEnabled: true, enqueueingLabel: label },
  }
  const server = await startServer(
    { ...serverDefaults, port: 0, data, token: 'try', hosting: [{ ...host, set }] },
    {
      logger: pino({ enabled: false }),
      onFirstToken: () => undefined,
      onFailure: () => undefined,
      forge,
    },
  )
  const all = (): PullRequestView[] => {
    const queue = server.manager.registry.find(nameOfQueue(host.ref))
    return Object.values(queue?.engine.queue.pullRequests ?? {})
  }
  const isOver = (): boolean =>
    all().length === numbers.length && all().every(({ state }) => isTerminal(state))
  const late = new AbortController()
  try {
    const over = new Promise<void>((resolve, reject) => {
      server.manager.subscribe(({ events }) => {
        onEvents(events)
        if (isOver()) resolve()
      })
      const timer = setTimeout(() => {
        const { faults = [] } = server.hosts.of(nameOfQueue(host.ref))?.status() ?? {}
        reject(new Error(['it takes too long', ...faults].join(': ')))
      }, mostMs)
      late.signal.addEventListener('abort', () => clearTimeout(timer))
    })
    for (const number of numbers) await addLabel(client, number, label)
    await over
    return all()
  } finally {
    late.abort()
    await server.stop()
  }
}

/** Compares the queue and GitHub with what was promised. */
async function judged(
  client: GitHubClient,
  numbers: readonly number[],
  pullRequests: readonly PullRequestView[],
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, number] of numbers.entries()) {
    const { name = '', ends = 'MERGED' } = changes[index] ?? {}
    const state = pullRequests.find((each) => each.number === number)?.state ?? 'unknown'
    const shown = (await pullAt(client, number))?.state ?? 'missing'
    const isShown = shown === (ends === 'MERGED' ? 'merged' : 'open')
    const words = `${state} in the queue, ${shown} on GitHub`
    results.push({ what: `#${number} ${name}`, isOk: state === ends && isShown, words })
  }
  return results
}
