/** `mergeyard serve`: merges the pull requests of a git repository. */

import { randomBytes } from 'node:crypto'
import { GitFailed } from '../../../server/git/git.ts'
import { nameOfQueue } from '../../../server/identity/queue-ref.ts'
import { CannotHost } from '../../../server/hosting/hosts.ts'
import { commandOf, withPlainErrors } from '../../../sim/terminal/command.ts'
import { BadLines } from '../../../sim/scenario/bad-input.ts'
import { serverOptionsIn } from '../start/options.ts'
import { refuseMissingCommands } from './check-commands.ts'
import { removeLocal, writeLocal } from './local-server.ts'
import { hostingIn, usage } from './options.ts'
import { readReports } from './reports.ts'

export const main = withPlainErrors(
  commandOf(usage, async (parsed, context) => {
    const hosting = hostingIn(parsed, context.env)
    refuseMissingCommands(hosting)
    const server = serverOptionsIn(parsed)
    const token = server.token ?? randomBytes(24).toString('base64url')
    const queues = hosting.map(({ ref }) => nameOfQueue(ref))
    const { serve } = await import('../start/serve.ts')
    try {
      return await serve({ ...server, token, hosting }, context, {
        readReports,
        onListening: (url) => writeLocal(server.data, { url, token, queues }),
      })
    } catch (error) {
      if (!(error instanceof CannotHost) && !(error instanceof GitFailed)) throw error
      throw new BadLines([`serve: ${error.message}`])
    } finally {
      removeLocal(server.data)
    }
  }),
)
