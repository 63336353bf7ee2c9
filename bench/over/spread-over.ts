/** `--over`: runs a command on the workers of a database instead of the cores of this machine. */

import { onCores, type Spreading } from '../../sim/campaign/over-cores.ts'
import { exitCodes, type CliContext } from '../../terminal/command.ts'
import type { OptionTable } from '../../terminal/options.ts'
import { writeAll } from '../../terminal/output.ts'

/** The option that says where a campaign runs. */
export const overTable = {
  over: {
    kind: 'value',
    value: 'postgres://...',
    help: 'spread it over the workers of this database: mergeyard worker',
    isSecret: true,
  },
} as const satisfies OptionTable

/** The part of the parsed options that this needs. */
type Parsed = {
  readonly text: (name: 'over') => string | null
}

/** Runs the command where its options say. */
export async function spreadOver(
  parsed: Parsed,
  command: string,
  context: CliContext,
  run: (spreading: Spreading) => Promise<number>,
): Promise<number> {
  const address = parsed.text('over')
  if (address === null) return run(onCores)
  // The driver loads slowly, so it is imported only when it is needed.
  const { openOver } = await import('./open-over.ts')
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
