/** `mergeyard serve`: merges the pull requests of a git repository. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { GitFailed } from '../../../server/git/git.ts'
import { ForgeFailed } from '../../../server/forge/failed.ts'
import { forgesFor } from '../../../server/forges.ts'
import type { HostOptions } from '../../../server/hosting/options.ts'
import { nameOfQueue } from '../../../server/identity/queue-ref.ts'
import { mirrorFolder } from '../../../server/hosting/mirror-folder.ts'
import { CannotHost, refuseUnworkable } from '../../../server/hosting/workable.ts'
import { commandOf, withPlainErrors } from '../../../terminal/command.ts'
import { writeAll } from '../../../terminal/output.ts'
import { BadLines } from '../../../terminal/bad-input.ts'
import { serverOptionsIn } from '../start/options.ts'
import { withStoreFaults } from '../admin/with-store-faults.ts'
import type { ServePorts } from '../start/serve.ts'
import { exposureOf, refuseMissingCommands } from './check-commands.ts'
import { removeLocal, writeLocal } from './local-server.ts'
import { hostingIn, usage } from './options.ts'
import { readReports } from './reports.ts'

export const main = withPlainErrors(
  withStoreFaults(
    commandOf(usage, async (parsed, context) => {
      const hosting = hostingIn('serve', parsed, context.env)
      refuseMissingCommands(hosting)
      const exposed = exposureOf(hosting)
      const server = serverOptionsIn(parsed, context.env)
      const store = parsed.text('store') ?? ''
      if (store !== '' && parsed.isGiven('keep-days'))
        throw parsed.fault('store', 'no --keep-days: it is about a data folder')
      // A repository that was there before may be away for a while: the server waits for it.
      const unknown = hosting.filter(({ url }) => !existsSync(mirrorFolder(server.data, url)))
      await inOneLine(() => refuseEach(unknown))
      if (exposed !== null) await writeAll(context.stderr, [`serve: ${exposed}\n`])
      const token = server.token ?? randomBytes(24).toString('base64url')
      const queues = hosting.map(({ ref }) => nameOfQueue(ref))
      const { serve } = await import('../start/serve.ts')
      const local = { isWritten: false }
      try {
        const options = { ...server, token, hosting }
        const ports: ServePorts = {
          readReports,
          onListening: (url) => {
            local.isWritten = true
            return writeLocal(server.data, {
              url,
              token: server.token === null ? token : null,
              queues,
            })
          },
        }
        if (store === '') return await inOneLine(() => serve(options, context, ports))
        const { serveShared } = await import('../start/serve-shared.ts')
        return await inOneLine(() => serveShared({ ...options, store }, context, ports))
      } finally {
        // Another server may run on the folder, if this one could not start.
        if (local.isWritten) removeLocal(server.data)
      }
    }),
  ),
)

/** Whether the server can work on each repository, before anything is written. */
async function refuseEach(hosting: readonly HostOptions[]): Promise<void> {
  const forges = await forgesFor(hosting, pino({ enabled: false }))
  await Promise.all(hosting.map((options) => refuseUnworkable(options, forges?.gitAccess(options))))
}

/** A repository that cannot be worked on is invalid input: one line, whatever git has printed. */
async function inOneLine<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const isKnown = [CannotHost, GitFailed, ForgeFailed].some((kind) => error instanceof kind)
    if (!isKnown || !(error instanceof Error)) throw error
    throw new BadLines([`serve: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}`])
  }
}
