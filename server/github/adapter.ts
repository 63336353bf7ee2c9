/** What a queue on GitHub brings along. */

import type { Adapter } from '../forge/forges.ts'
import type { ForgeOptions, GitHubOptions } from '../hosting/options.ts'
import { GitHubClient } from './client.ts'
import { findingsOf } from './doctor.ts'
import { GitHubApi } from './github-api.ts'
import { githubDialect } from './hook.ts'

export const githubAdapter: Adapter = {
  open: (options, logger, pace) => new GitHubApi(new GitHubClient(githubIn(options), logger, pace)),
  dialect: githubDialect,
  ciPaths: ['.github/workflows/'],
  findings: (options, logger, asked) => findingsOf(githubIn(options), logger, asked),
}

function githubIn(options: ForgeOptions): GitHubOptions {
  if (options.kind === 'github') return options
  throw new Error(`${options.kind} is another kind of host`)
}
