/**
 * Runs the commands of the section "A queue over HTTP" of server/README.md. The first block starts a server, the others
 * run in one shell. Only the port and the data folder differ.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type * as wire from '../../../server/contract/wire.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { Client, main } from '../../../server/testing/client.ts'
import { Contract } from '../../../server/testing/contract.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'

const [start = '', ...others] = blocksOf(
  { file: 'server/README.md', section: 'A queue over HTTP' },
  'sh',
)
const missing = ['bash', 'curl', 'npm'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
)

type ServerLocation = { readonly port: number; readonly data: string }

/** Runs the first block. Resolves when the server listens. */
function startServer({ port, data }: ServerLocation): Promise<ChildProcess> {
  const env = { ...process.env, MERGEYARD_PORT: String(port), MERGEYARD_DATA: data }
  // A separate process group, because npm starts a shell that starts the server.
  const child = spawn('bash', ['-c', start], { cwd: repositoryRoot, env, detached: true })
  onTestFinished(async () => {
    // The server writes into its folder until it has ended, and with it its output.
    const closed = once(child, 'close')
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    await closed
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', () => reject(new Error(`the server did not start: ${output}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (more: Buffer) => {
        output += more.toString()
        if (output.includes('Mergeyard listens on')) resolve(child)
      })
    }
  })
}

/** Runs the other blocks in order until a command fails. */
function runOthers({
  port,
  data,
}: ServerLocation): Promise<{ code: number | null; output: string }> {
  const script = ['set -euo pipefail', ...others]
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('--against data', `--against ${data} --no-report`)
  const child = spawn('bash', ['-c', script], { cwd: repositoryRoot })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (more: Buffer) => (output += more.toString()))
  }
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
}

test.skipIf(missing.length > 0)(
  `the commands of "A queue over HTTP" in the guide of the server work unchanged${missing.map((name) => ` (${name} is not installed)`).join('')}`,
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
