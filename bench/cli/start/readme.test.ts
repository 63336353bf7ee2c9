/**
 * Runs the commands of the section "A queue over HTTP" of server/README.md. The first block starts a server, the others
 * run in one shell. Only the port and the data folder differ.
 */

import { expect, onTestFinished, test } from 'vitest'
import type * as wire from '../../../server/contract/wire.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { isMissing } from '../../../server/testing/system-program.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { startProgram } from '../testing/program.ts'

const [start = '', ...others] = blocksOf(
  { file: 'server/README.md', section: 'A queue over HTTP' },
  'sh',
)

type ServerLocation = { readonly port: number; readonly data: string }

/** Runs the first block. Resolves when the server listens. */
async function startServer({ port, data }: ServerLocation): Promise<void> {
  const env = { ...process.env, MERGEYARD_PORT: String(port), MERGEYARD_DATA: data }
  // A separate process group, because npm starts a shell that starts the server.
  const server = startProgram(['bash', '-c', start], { cwd: repositoryRoot, env, detached: true })
  onTestFinished(async () => {
    process.kill(-(server.process.pid ?? 0), 'SIGTERM')
    // The server writes into its folder until it has ended.
    await server.ended
  })
  await server.prints(/Mergeyard listens on/)
}

/** Runs the other blocks in order until a command fails. */
async function runOthers({ port, data }: ServerLocation) {
  const script = ['set -euo pipefail', ...others]
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('--against data', `--against '${data}' --no-report`)
  const shell = startProgram(['bash', '-c', script], { cwd: repositoryRoot })
  return { code: await shell.ended, output: shell.all() }
}

test.skipIf(isMissing('curl'))(
  'the commands of "A queue over HTTP" in the guide of the server work unchanged',
  async () => {
    expect(others.length).toBeGreaterThan(5)
    const location = { port: await freePort(), data: temporaryFolder() }
    await startServer(location)
    const { code, output } = await runOthers(location)
    expect([code, output]).toEqual([0, expect.stringContaining('\nexact  ')])
    expect(output).toContain('\nholds  ')
    expect(output).toContain('"external_ticket_id":"SHOP-123"')
    expect(output).toContain('mq_depth_current{')

    const client = new Client(`http://127.0.0.1:${location.port}`, 'let-me-in', new Contract())
    const statesOf = async (number: number): Promise<string> => {
      const body = { ...main, pr: { number }, includeTimeline: true }
      const { timeline = [] } = await client.ok<wire.SubmittedPullRequest>(
        'getSubmittedPullRequest',
        body,
      )
      return timeline.map(({ state }) => state).join(' ')
    }
    expect(await statesOf(7)).toMatch(/^MERGED /)
    expect(await statesOf(8)).toMatch(/^CANCELLED .*FAILED /)
    expect(await statesOf(9)).toBe('PENDING')
  },
)
