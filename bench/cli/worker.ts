/** `mergeyard worker`: does what campaigns with `--over` hand out. */

import { availableParallelism } from 'node:os'
import { build } from '../../sim/campaign/build.ts'
import { commandOf, exitCodes } from '../../server/terminal/command.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { fromOneTo } from '../../server/terminal/readers.ts'
import type { OptionTable, Usage } from '../../server/terminal/options.ts'
import { stopSignal } from '../../server/terminal/signals.ts'
import { several } from '../../server/terminal/text.ts'
import { shownAddress, closeFarm, openFarm } from '../over/farm.ts'
import { FarmWorker } from '../over/farm-worker.ts'

const table = {
  'threads <n>': 'work on n chunks at once (default: all cores)',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'worker',
  npm: 'npx mergeyard worker',
  about: `Do the work that commands with --over hand out, until Ctrl-C: sim, soak, tune, capacity, compare, worst.

  mergeyard worker postgres://farm@db/farm                            on every machine
  mergeyard sim --seeds 1000000 --over postgres://farm@db/farm        on one`,
  operands: ['[address of a PostgreSQL...]'],
  table,
  more: `The password comes from the address, PGPASSWORD or ~/.pgpass. A worker does only campaigns of its own
build. It finishes what it has started when it is stopped; one that is killed loses nothing.

Exit code: 0 stopped; 2 invalid input, or a database that cannot be used.
`,
}

const mostThreads = 1024

export const main = commandOf(usage, async (parsed, context) => {
  const { operands } = parsed
  const [address] = operands
  // A message must not repeat an address, because it may hold a password.
  if (address === undefined || operands.length > 1) {
    throw badUsage(
      'worker',
      `${operands.length} addresses`,
      'one address, such as postgres://farm@db/farm',
    )
  }
  const threads = parsed.readGiven('threads', fromOneTo(mostThreads)) ?? availableParallelism()
  const farm = await openFarm(address, 'worker')
  const say = (line: string): void => void context.stdout.write(`${line}\n`)
  const signal = AbortSignal.any([stopSignal(context.signal, context.env), context.signal])
  try {
    const worker = new FarmWorker({ farm, threads, signal, say })
    say(
      `worker ${worker.name}   ${several(threads, 'thread')}, build ${build()}, at ${shownAddress(address)}`,
    )
    await worker.run()
  } finally {
    await closeFarm(farm)
  }
  return exitCodes.success
})
