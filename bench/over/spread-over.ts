/** `--over`: runs a command on the workers of a database instead of the cores of this machine. */

import { onCores } from '../../sim/campaign/over-cores.ts'
import type { SpreadOver } from '../../sim/cli/values.ts'
import { exitCodes } from '../../server/terminal/command.ts'
import { writeAll } from '../../server/terminal/output.ts'

/** Runs the command where its options say. */
export const spreadOver: SpreadOver = async (parsed, command, context, run) => {
  const address = parsed.text('over')
  if (address === null) return run(onCores)
  // The driver loads slowly, so it is imported only when it is needed.
  const { openOver } = await import('./coordinator.ts')
  const { BrokenCampaign } = await import('./coordinator.ts')
  const over = await openOver({ address, command, stderr: context.stderr })
  try {
    return await run(over)
  } catch (error) {
    if (!(error instanceof BrokenCampaign)) throw error
    await writeAll(context.stderr, [`BROKEN  ${error.message}\n`])
    return exitCodes.failure
  } finally {
    await over.close()
  }
}
