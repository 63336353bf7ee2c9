/** `mergeyard start`: runs a server, or a server with a demo. */

import { commandOf, withPlainErrors } from '../../../terminal/command.ts'
import { withStoreFaults } from '../admin/with-store-faults.ts'
import { stopSignal } from '../../../terminal/signals.ts'
import { readStartOptions, usage } from './options.ts'

export const main = withPlainErrors(
  withStoreFaults(
    commandOf(usage, async (parsed, context) => {
      const { server, demo, store } = readStartOptions(parsed, context.env)
      if (store !== null) {
        const { serveShared } = await import('./serve-shared.ts')
        return serveShared({ ...server, store }, context)
      }
      if (demo === null) {
        const { serve } = await import('./serve.ts')
        return serve(server, context)
      }
      const { runDemo } = await import('./demo/demo.ts')
      return runDemo(
        { ...demo, server },
        { ...context, signal: stopSignal(context.signal, context.env) },
      )
    }),
  ),
)
