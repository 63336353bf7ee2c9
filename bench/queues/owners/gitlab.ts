/** What GitLab accepts: the attributes of a project that are printed. */

import { closed, wholeFrom, yesOrNo, type Owner } from './schema.ts'

export const gitlabProject = {
  merge_pipelines_enabled: yesOrNo,
  merge_trains_enabled: yesOrNo,
  max_pipelines_per_merge_train: wholeFrom(1),
} as const

export const gitlabOwner: Owner = {
  schema: closed(gitlabProject),
  source:
    'the projects API of GitLab 18.11, as merged in gitlab-org/gitlab !228371 and !228488 (read 2026-08-21); GitLab publishes no schema of it',
}
