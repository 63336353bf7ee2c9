/** A store that cannot be used is bad input: one line, and the exit code 2. */

import { StoreFault } from '../../../server/postgres/store-fault.ts'
import { type Main, exitCodes } from '../../../terminal/command.ts'
import { writeAll } from '../../../terminal/output.ts'

export function withStoreFaults(main: Main): Main {
  return async (args, context) => {
    try {
      return await main(args, context)
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error
      await writeAll(context.stderr, [`mergeyard: ${error.message}\n`])
      return exitCodes.badInput
    }
  }
}
