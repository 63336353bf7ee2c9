/** Histories on GitHub for tests, told in minutes from their first instant. */

import { historyOf, type GitHubHistory, type HistoryOptions } from '../github/history.ts'
import { importedGitHub } from '../github/imported-github.ts'
import type {
  GitHubRecords,
  Pull,
  Repository,
  Rule,
  TimelineItem,
  User,
  WorkflowRun,
} from '../github/records.ts'
import { readGitHub } from '../github/read-folder.ts'

const startMs = Date.UTC(2026, 2, 2, 9)

/** An instant as GitHub writes it. */
export function instant(minute: number): string {
  return `${new Date(startMs + minute * 60_000).toISOString().slice(0, 19)}Z`
}

const queueBot = { login: 'github-merge-queue[bot]', type: 'Bot' }
const ada = { login: 'ada', type: 'User' }

type PullOptions = {
  readonly merged?: number
  readonly closed?: number
  readonly title?: string
  readonly user?: User
  readonly base?: string
  readonly branch?: string
}

type RunOptions = {
  readonly minutes?: number
  readonly conclusion?: string
  /** Later attempts of a run have its id. */
  readonly attempt?: number
  readonly id?: number
  readonly name?: string
}

type GroupOptions = RunOptions & {
  /** The pull request, or the commit, on top of which it is tested. */
  readonly on?: number | string
  /** Another commit than that of its first group. */
  readonly sha?: string
}

/** The commit that tests or heads a pull request: forty digits that end with the number. */
export const shaOf = (name: number | string): string => String(name).padStart(40, '0')

export class GitHubStory {
  readonly #pulls: Pull[] = []
  readonly #timelines = new Map<number, TimelineItem[]>()
  readonly #runs: WorkflowRun[] = []
  readonly #others: Partial<GitHubRecords>
  #lastId = 0

  constructor(others: Partial<GitHubRecords> = {}) {
    this.#others = others
  }

  /** A pull request with the head `shaOf(number)`; merged it is `shaOf('a' + number)` on the branch. */
  pull(number: number, options: PullOptions, ...timeline: readonly TimelineItem[]): this {
    const { merged, closed = merged, title = `Change ${number}`, user = ada } = options
    const { base = 'main', branch = `change-${number}` } = options
    this.#pulls.push({
      number,
      title,
      user,
      created_at: instant(-60),
      closed_at: closed === undefined ? null : instant(closed),
      merged_at: merged === undefined ? null : instant(merged),
      merge_commit_sha: merged === undefined ? null : shaOf(`a${number}`),
      head: { sha: shaOf(number), ref: branch },
      base: { ref: base },
    })
    if (timeline.length > 0) this.#timelines.set(number, [...timeline])
    return this
  }

  /** A test of the merge queue: `on` is the number of the pull request below, if there is one. */
  group(number: number, start: number, options: GroupOptions = {}): this {
    const { on = 'ba5e', sha = shaOf(`90${number}`) } = options
    const base = shaOf(typeof on === 'number' ? `90${on}` : on)
    const branch = `gh-readonly-queue/main/pr-${number}-${base}`
    return this.run('merge_group', { branch, sha, start }, options)
  }

  head(number: number, start: number, options: RunOptions & { readonly sha?: string } = {}): this {
    const { sha = shaOf(number) } = options
    return this.run('pull_request', { branch: `change-${number}`, sha, start }, options)
  }

  /** A test of the branch after the merge of a pull request. */
  onMain(number: number, start: number, options: RunOptions = {}): this {
    return this.run('push', { branch: 'main', sha: shaOf(`a${number}`), start }, options)
  }

  run(
    event: string,
    at: { readonly branch: string; readonly sha: string; readonly start: number },
    options: RunOptions & { readonly message?: string } = {},
  ): this {
    const { minutes = 10, conclusion = 'success', attempt = 1, name = 'ci', message } = options
    this.#lastId += 1
    this.#runs.push({
      id: options.id ?? this.#lastId,
      name,
      event,
      status: 'completed',
      conclusion,
      head_branch: at.branch,
      head_sha: at.sha,
      run_attempt: attempt,
      created_at: instant(at.start),
      run_started_at: instant(at.start),
      updated_at: instant(at.start + minutes),
      head_commit: message === undefined ? null : { message },
    })
    return this
  }

  get records(): GitHubRecords {
    return {
      repository,
      rules: null,
      files: new Map(),
      checks: [],
      statuses: new Map(),
      pulls: this.#pulls,
      timelines: this.#timelines,
      runs: this.#runs,
      ...this.#others,
    }
  }

  history(options: Partial<HistoryOptions> = {}): GitHubHistory {
    const usual = { branch: null, last: 500, withReleases: false, withoutBots: false }
    return historyOf(this.records, { ...usual, queueLabel: null, ...options })
  }

  /** The pull requests and events that it becomes. */
  stream(options: Partial<HistoryOptions> = {}) {
    const scenario = this.imported(options)
    return [...(scenario.pullRequests ?? []), ...(scenario.events ?? [])]
  }

  imported(options: Partial<HistoryOptions> = {}) {
    return importedGitHub(this.history(options), { name: 'shop', busier: 1 })
  }
}

const repository: Repository = { full_name: 'acme/shop', default_branch: 'main' }

/** The rule that makes a branch have a merge queue. */
export const queueRule: Rule = {
  type: 'merge_queue',
  parameters: { max_entries_to_build: 4, check_response_timeout_minutes: 45 },
}

export const queued = (minute: number): TimelineItem => ({
  event: 'added_to_merge_queue',
  created_at: instant(minute),
  actor: ada,
})

export const removed = (minute: number, by: 'queue' | 'person' = 'queue'): TimelineItem => ({
  event: 'removed_from_merge_queue',
  created_at: instant(minute),
  actor: by === 'queue' ? queueBot : ada,
})

export const pushed = (minute: number, sha: string): TimelineItem => ({
  event: 'committed',
  sha,
  committer: { date: instant(minute) },
})

export const approved = (minute: number): TimelineItem => ({
  event: 'reviewed',
  state: 'approved',
  submitted_at: instant(minute),
  user: ada,
})

export const commented = (minute: number, body: string): TimelineItem => ({
  event: 'commented',
  created_at: instant(minute),
  actor: ada,
  user: ada,
  body,
})

export const event = (name: string, minute: number, label?: string): TimelineItem => ({
  event: name,
  created_at: instant(minute),
  actor: ada,
  ...(label === undefined ? {} : { label: { name: label } }),
})

/** The history that the recorded answers of GitHub in `github/shop` tell: a morning with a merge queue. */
export const shopFolder = 'sim/import/testing/github/shop'

export const shopStory = new GitHubStory(readGitHub(shopFolder, 'shop'))
