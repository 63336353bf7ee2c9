/** `mergeyard log`: prints the output of a test run. */

import type * as wire from '../contract/wire.ts'
import { commandOf, exitCodes } from '../terminal/command.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { jsonOption, writeResult } from './place.ts'
import { remoteTable, refOnWire, RemoteServer } from './remote-server.ts'

const table = { ...jsonOption, ...remoteTable } as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'log',
  about:
    'Print the output of a test run, as far as it is written. `mergeyard queue` shows the ids.',
  operands: ['<run>'],
  table,
  more: 'Exit codes: 0 printed, 2 there is no such log.\n',
}

export const main = commandOf(usage, async (parsed, { stdout, env }) => {
  const [testRunId = ''] = parsed.operands
  const server = RemoteServer.of('log', parsed, env)
  const ref = refOnWire(server.queue(parsed))
  const found = await server.call<wire.TestRunLog>('getTestRunLog', { ...ref, testRunId })
  const { log, bytes } = found
  const missing = bytes - Buffer.byteLength(log)
  const cut = missing > 0 ? `[the first ${missing} bytes are left out]\n` : ''
  await writeResult(stdout, parsed, found, `${cut}${log}`)
  return exitCodes.success
})
