/** What a queue on GitLab brings along. */

import type { Adapter } from '../forge/forges.ts'
import type { ForgeOptions, GitLabOptions } from '../hosting/options.ts'
import { GitLabClient } from './client.ts'
import { findingsOf } from './doctor.ts'
import { GitLabApi } from './gitlab-api.ts'
import { gitlabDialect } from './hook.ts'

export const gitlabAdapter: Adapter = {
  open: (options) => new GitLabApi(new GitLabClient(gitlabIn(options))),
  dialect: gitlabDialect,
  ciPaths: ['.gitlab-ci.yml'],
  findings: (options, _, asked) => findingsOf(gitlabIn(options), asked),
}

function gitlabIn(options: ForgeOptions): GitLabOptions {
  if (options.kind === 'gitlab') return options
  throw new Error(`${options.kind} is another kind of host`)
}
