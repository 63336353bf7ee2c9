/** What a queue on Gitea or Forgejo brings along. */

import type { Adapter } from '../forge/forges.ts'
import type { ForgeOptions, GiteaOptions } from '../hosting/options.ts'
import { GiteaClient } from './client.ts'
import { findingsOf } from './doctor.ts'
import { GiteaApi } from './gitea-api.ts'
import { giteaDialect } from './hook.ts'

export const giteaAdapter: Adapter = {
  open: (options) => new GiteaApi(new GiteaClient(giteaIn(options))),
  dialect: giteaDialect,
  ciPaths: ['.gitea/workflows/', '.forgejo/workflows/', '.github/workflows/', '.woodpecker'],
  findings: (options, _, asked) => findingsOf(giteaIn(options), asked),
}

function giteaIn(options: ForgeOptions): GiteaOptions {
  if (options.kind === 'gitea') return options
  throw new Error(`${options.kind} is another kind of host`)
}
