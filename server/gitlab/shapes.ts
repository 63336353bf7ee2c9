/** The parts of GitLab's answers that are read. Its document calls hardly any field required. */

export type User = { readonly id?: number; readonly username?: string }

export type MergeRequest = {
  readonly iid?: number
  /** The head; null while there are no commits. */
  readonly sha?: string | null
  /** `locked`: it merges at this moment. */
  readonly state?: string
  readonly draft?: boolean
  readonly title?: string
  readonly description?: string | null
  readonly author?: User | null
  readonly labels?: readonly string[]
  readonly updated_at?: string
  readonly user_notes_count?: number
  readonly source_branch?: string
  readonly target_branch?: string
  readonly project_id?: number
  /** `group/project!7`, of a list of others. */
  readonly references?: { readonly full?: string }
  /** Another one than the target's for a fork; null: that is gone. */
  readonly source_project_id?: number | null
  readonly target_project_id?: number
  /** Null for a fast forward. */
  readonly merge_commit_sha?: string | null
  readonly squash_commit_sha?: string | null
  readonly detailed_merge_status?: string
  /** Why the last attempt to merge it has failed. */
  readonly merge_error?: string | null
}

/** A dependency between two merge requests. */
export type Block = {
  /** The one that merges first; absent: the account may not see it. */
  readonly blocking_merge_request?: MergeRequest
  readonly blocked_merge_request?: MergeRequest
}

export type Note = {
  readonly id?: number
  readonly body?: string
  readonly author?: User | null
  readonly created_at?: string
  readonly noteable_type?: string
  readonly noteable_iid?: number | null
  /** GitLab has written it about what somebody did. */
  readonly system?: boolean
}

/** Something that somebody did in the project. */
export type ProjectEvent = {
  readonly created_at?: string
  readonly note?: Note | null
}

export type LabelEvent = {
  readonly user?: User | null
  readonly created_at?: string
  /** Null: the label is gone. */
  readonly label?: { readonly name?: string } | null
  readonly action?: string
}

export type StateEvent = {
  readonly user?: User | null
  readonly created_at?: string
  readonly state?: string
}

/** What a merge request held after a push, or with another target branch. */
export type Version = {
  readonly id?: number
  readonly head_commit_sha?: string
  readonly created_at?: string
}

export type ApprovalRule = {
  readonly name?: string
  readonly approved?: boolean
  readonly approvals_required?: number
  readonly approved_by?: readonly User[]
}

/** The rules for approvals of a merge request. */
export type ApprovalState = {
  readonly rules?: readonly ApprovalRule[]
}

export type Pipeline = {
  readonly id?: number
  readonly sha?: string
  readonly status?: string
  readonly web_url?: string
}

/** A job of a pipeline, or a status that somebody else has written. */
export type CommitStatus = {
  readonly id?: number
  readonly name?: string
  readonly status?: string
  readonly pipeline_id?: number | null
  readonly allow_failure?: boolean
  readonly target_url?: string | null
}

/** A branch of the repository. */
export type Branch = { readonly can_push?: boolean }

export type Member = { readonly access_level?: number }

export type Project = {
  readonly merge_method?: string
  readonly squash_option?: string
  readonly only_allow_merge_if_pipeline_succeeds?: boolean | null
  readonly only_allow_merge_if_all_discussions_are_resolved?: boolean | null
  readonly permissions?: {
    readonly project_access?: Member | null
    readonly group_access?: Member | null
  } | null
}
