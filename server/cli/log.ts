/** `mergeyard log`: prints the output of a test run. */

import type * as wire from '../contract/wire.ts'
import { BadLines } from '../terminal/bad-input.ts'
import { commandOf, exitCodes } from '../terminal/command.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { jsonOption, writeResult } from './place.ts'
import { remoteTable, refOnWire, RemoteServer } from './remote-server.ts'

const table = { ...jsonOption, ...remoteTable } as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'log',
  about: `Print the output of a test run, as far as it is written: that of a run, or the one that tells most
about a pull request.

  mergeyard log 7
  mergeyard log pay-twice
  mergeyard log run 15`,
  operands: ['<branch, number or run...>'],
  table,
  more: 'Exit codes: 0 printed, 2 there is no such log.\n',
}

export const main = commandOf(usage, async (parsed, { stdout, env }) => {
  const server = RemoteServer.of('log', parsed, env)
  const queue = refOnWire(server.queue(parsed))
  const testRunId = await runNamed(server, queue, parsed.operands.join(' '))
  const found = await server.call<wire.TestRunLog>('getTestRunLog', { ...queue, testRunId })
  const { log, bytes } = found
  const missing = bytes - Buffer.byteLength(log)
  const cut = missing > 0 ? `[the first ${missing} bytes are left out]\n` : ''
  await writeResult(stdout, parsed, found, `${cut}${log}`)
  return exitCodes.success
})

const idPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A run by its number, as in `run 15`, or its id; else the run that tells most about a pull request. */
async function runNamed(
  server: RemoteServer,
  queue: wire.QueueRef,
  named: string,
): Promise<string> {
  const digits = /^run[ -]?#?([1-9]\d*)$/.exec(named)?.[1]
  if (digits !== undefined || idPattern.test(named)) return digits ?? named
  if (/^[\da-f]{8}-[\da-f-]*$/i.test(named)) {
    throw new BadLines([
      `log: ${named} is the beginning of every id of this queue: name the run by its number, as in run 15`,
    ])
  }
  const pull = await server.pullNamed(queue, named)
  const { sentence, logOf } = pull.why ?? { sentence: '', logOf: null }
  if (logOf !== null) return logOf
  throw new BadLines([`log: #${pull.prNumber} was not tested: ${sentence}`])
}
