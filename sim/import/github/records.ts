/** What is read of GitHub's answers. The field names are GitHub's own; other fields are ignored. */

export type User = { readonly login: string; readonly type?: string } | null

export type Repository = { readonly full_name: string; readonly default_branch: string }

/** A rule that is active for the target branch. */
export type Rule = {
  readonly type: string
  readonly parameters?: {
    readonly max_entries_to_build?: number
    readonly check_response_timeout_minutes?: number
    readonly required_status_checks?: readonly { readonly context: string }[]
  }
}

export type Pull = {
  readonly number: number
  readonly title: string
  readonly user: User
  readonly created_at: string
  readonly closed_at: string | null
  readonly merged_at: string | null
  readonly merge_commit_sha: string | null
  readonly head: { readonly sha: string; readonly ref: string }
  readonly base: { readonly ref: string }
}

/** An event of a pull request's timeline. Which fields it has depends on `event`. */
export type TimelineItem = {
  readonly event?: string
  readonly created_at?: string
  readonly submitted_at?: string
  readonly actor?: User
  readonly user?: User
  /** Of a commit. */
  readonly sha?: string
  readonly committer?: { readonly date: string }
  /** Of a force-push: the new head. */
  readonly commit_id?: string | null
  readonly label?: { readonly name: string }
  /** Of a comment. */
  readonly body?: string | null
  /** Of a review. */
  readonly state?: string
}

export type ChangedFile = { readonly filename: string }

export type WorkflowRun = {
  readonly id: number
  readonly name?: string | null
  readonly event: string
  readonly head_branch: string | null
  readonly head_sha: string
  readonly status: string | null
  readonly conclusion: string | null
  readonly run_attempt?: number
  readonly run_started_at?: string
  readonly created_at: string
  readonly updated_at: string
  readonly head_commit?: { readonly message: string } | null
}

export type CheckRun = {
  readonly name: string
  readonly head_sha: string
  readonly status: string
  readonly conclusion: string | null
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly app: { readonly slug?: string } | null
}

export type CommitStatus = {
  readonly context: string
  readonly state: string
  readonly created_at: string
}

/** A history as it was downloaded. */
export type GitHubRecords = {
  readonly repository: Repository | null
  /** Null if they are not in the folder. */
  readonly rules: readonly Rule[] | null
  readonly pulls: readonly Pull[]
  /** By number. */
  readonly timelines: ReadonlyMap<number, readonly TimelineItem[]>
  /** By number: the changed files. */
  readonly files: ReadonlyMap<number, readonly ChangedFile[]>
  /** Each attempt of a run is one of its own. */
  readonly runs: readonly WorkflowRun[]
  readonly checks: readonly CheckRun[]
  /** By commit, oldest first. */
  readonly statuses: ReadonlyMap<string, readonly CommitStatus[]>
}
