/** Clients that ask any of several servers about the queues of some repositories, and note what they were told. */

import { performance } from 'node:perf_hooks'
import { setTimeout as after } from 'node:timers/promises'
import type * as wire from '../../../../../server/contract/wire.ts'
import type { Client } from '../../../../../server/testing/client.ts'

// What clients of several servers asked, and what they were told: the history that `faultsIn` judges.

export type State = 'WAITING' | 'MERGED' | 'FAILED' | 'CANCELLED'

type Asked = {
  readonly client: number
  /** The server that was asked. */
  readonly server: number
  readonly repository: string
  readonly number: number
  /** When the request was sent, in milliseconds of the one clock of all clients. */
  readonly sentMs: number
  /** When the answer came; null if none came, so that nobody knows whether it was done. */
  readonly answeredMs: number | null
}

/**
 * One call about one pull request. A change that was answered says in which state the pull request is
 * from then on; a read says what it was shown, null for a pull request that is not there.
 */
export type Call = Asked &
  (
    | { readonly kind: 'change'; readonly leaves: State }
    | { readonly kind: 'read'; readonly shown: State | null }
  )

/** A pull request as it is found when all is over, in the order in which they were submitted. */
export type Found = { readonly repository: string; readonly number: number; readonly state: State }

// What is there when all is over.

/** All pull requests of a repository, in the order in which they were submitted. */
export async function foundIn(client: Client, repository: string): Promise<readonly Found[]> {
  const found: { readonly since: number; readonly each: Found }[] = []
  for (const number of await numbersIn(client, repository)) {
    const body = { ...queueOf(repository), pr: { number }, includeTimeline: true }
    const shown = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', body)
    // A timeline begins with its newest entry.
    const since = Date.parse(shown.timeline?.at(-1)?.timestamp ?? '')
    found.push({ since, each: { repository, number, state: stateIn(shown) } })
  }
  return found.sort((one, other) => one.since - other.since).map(({ each }) => each)
}

/** Those who wait, and those who have left. */
async function numbersIn(client: Client, repository: string): Promise<ReadonlySet<number>> {
  const queue = await client.ok<wire.Queue>('getQueue', queueOf(repository))
  const numbers = new Set(queue.enqueuedPullRequests.map(({ prNumber }) => prNumber))
  let cursor: string | undefined
  do {
    const body = { ...queueOf(repository), take: 100, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.ok<wire.PullRequestPage>('listPullRequests', body)
    for (const { prNumber } of page.pullRequests) numbers.add(prNumber)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return numbers
}

/** A paused server answers nobody. A client that has waited for so long asks another one. */
const patienceMs = 3_000

/** Who was not answered waits a little, as people and programs do. */
const pauseMs = 20

/** A client for each server, in their order. They change when a server starts again at another address. */
type Servers = () => readonly Client[]

export const queueOf = (repository: string): wire.QueueRef => ({
  repo: { host: 'github.com', owner: 'acme', name: repository },
  targetBranch: 'main',
})

export class History {
  readonly calls: Call[] = []
  readonly #repositories: readonly string[]
  readonly #servers: Servers
  readonly #draw: () => number
  readonly #targets: readonly string[]
  #last = 0
  #isOver = false

  /** With targets, every tenth that is submitted gets all of them: the log grows faster. */
  constructor(
    repositories: readonly string[],
    servers: Servers,
    draw: () => number,
    targets: readonly string[] = [],
  ) {
    this.#repositories = repositories
    this.#servers = servers
    this.#draw = draw
    this.#targets = targets
  }

  /** How many changes were acknowledged so far. */
  get acknowledged(): number {
    return this.calls.filter((call) => call.kind === 'change' && call.answeredMs !== null).length
  }

  /** Lets so many clients ask, one call after another each, until `end`. */
  async load(clients: number): Promise<void> {
    this.#isOver = false
    const each = Array.from({ length: clients }, (_, client) => this.#ask(client))
    await Promise.all(each)
  }

  end(): void {
    this.#isOver = true
  }

  /** What was told since then may have been undone, as by a backup of before. */
  doubtSince(ms: number): void {
    for (const [index, call] of this.calls.entries()) {
      if ((call.answeredMs ?? 0) > ms) this.calls[index] = { ...call, answeredMs: null }
    }
  }

  async #ask(client: number): Promise<void> {
    while (!this.#isOver) {
      const server = this.#under(this.#servers().length)
      const kind = this.#draw()
      if (kind < 0.4) await this.#submit(this.#about(client, server, ++this.#last))
      else {
        const about = this.#about(client, server, 1 + this.#under(this.#last))
        if (kind < 0.6) await this.#report(about)
        else if (kind < 0.65) await this.#cancel(about)
        else await this.#read(about)
      }
    }
  }

  /** Each number belongs to one repository. */
  #about(client: number, server: number, number: number): About {
    const repository = this.#repositories[number % this.#repositories.length] ?? ''
    return { client, server, repository, number }
  }

  async #submit(about: About): Promise<void> {
    const { repository, number } = about
    const body = { ...queueOf(repository), pr: { number, sha: `sha-${number}` } }
    const told = await this.#call(about.server, 'submitPullRequest', body)
    if (told.status === 200 || told.status === null)
      this.calls.push({ ...about, ...told.when, kind: 'change', leaves: 'WAITING' })
    if (told.status !== 200 || this.#targets.length === 0 || number % 10 !== 0) return
    const upload = { ...queueOf(repository), pr: { number }, impactedTargets: this.#targets }
    await this.#call(about.server, 'setImpactedTargets', upload)
  }

  async #cancel(about: About): Promise<void> {
    const { repository, number } = about
    const body = { ...queueOf(repository), pr: { number } }
    const told = await this.#call(about.server, 'cancelPullRequest', body)
    if (told.status === 200)
      this.calls.push({ ...about, ...told.when, kind: 'change', leaves: 'CANCELLED' })
  }

  async #read(about: About): Promise<void> {
    const { repository, number } = about
    const body = { ...queueOf(repository), pr: { number } }
    const told = await this.#call(about.server, 'getSubmittedPullRequest', body)
    if (told.status !== 200 && told.status !== 404) return
    this.calls.push({ ...about, ...told.when, kind: 'read', shown: shownIn(told) })
  }

  /** Reports the run that is under way. With one slot no group restarts, so a verdict ends its pull request. */
  async #report(about: About): Promise<void> {
    const { server, repository } = about
    const runs = await this.#call(server, 'getMergeQueueTestingDetails', queueOf(repository))
    if (runs.status !== 200) return
    const { testRuns }: wire.TestRuns = JSON.parse(runs.text)
    const [run] = testRuns
    const number = run?.testedPullRequests[0]?.prNumber
    if (run === undefined || number === undefined) return
    const outcome = number % 5 === 0 ? 'failed' : 'passed'
    const told = await this.#call(server, 'reportTestRun', { testRunId: run.testRunId, outcome })
    if (told.status !== 200) return
    const { ignored }: wire.TestRunReported = JSON.parse(told.text)
    if (ignored === true) return
    const leaves = outcome === 'passed' ? 'MERGED' : 'FAILED'
    this.calls.push({ ...about, number, ...told.when, kind: 'change', leaves })
  }

  /** One call. A status of null: nobody answered, or the server did not know whether it was done. */
  async #call(server: number, operation: string, body: unknown): Promise<Response> {
    const sentMs = performance.now()
    const unknown = { status: null, text: '', when: { sentMs, answeredMs: null } }
    const signal = AbortSignal.timeout(patienceMs)
    try {
      const answered = await this.#servers()[server]?.call(operation, body, { signal })
      if (answered === undefined || answered.status >= 500) {
        await after(pauseMs)
        return unknown
      }
      const { status, text } = answered
      return { status, text, when: { sentMs, answeredMs: performance.now() } }
    } catch (error) {
      // The connection broke, or the server is paused. Anything else is a fault of the server or of this test.
      if (!(error instanceof TypeError) && !signal.aborted) throw error
      await after(pauseMs)
      return unknown
    }
  }

  #under(limit: number): number {
    return Math.floor(this.#draw() * limit)
  }
}

type About = Pick<Asked, 'client' | 'server' | 'repository' | 'number'>

type Response = {
  readonly status: number | null
  readonly text: string
  readonly when: { readonly sentMs: number; readonly answeredMs: number | null }
}

function shownIn({ status, text }: Response): State | null {
  if (status === 404) return null
  const shown: wire.SubmittedPullRequest = JSON.parse(text)
  return stateIn(shown)
}

function stateIn({ state }: wire.SubmittedPullRequest): State {
  return state === 'MERGED' || state === 'FAILED' || state === 'CANCELLED' ? state : 'WAITING'
}
