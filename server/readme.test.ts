/**
 * The README's section "Serve it", as somebody would type it: its first block starts a server, the
 * others are typed into one shell. Only the port and the data folder are a test's own.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { Client, main } from './testing/client.ts'
import { Contract } from './testing/contract.ts'
import { freePort } from './testing/free-port.ts'
import { blocksOf, repositoryRoot } from './testing/readme.ts'
import { temporaryFolder } from './testing/running.ts'
import type * as wire from './wire.ts'

const [start = '', ...others] = blocksOf('Serve it', 'sh')
const missing = ['bash', 'curl', 'npm'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
)

type Own = { readonly port: number; readonly data: string }

/** Types the first block; settles when the server listens. */
function begin({ port, data }: Own): Promise<ChildProcess> {
  const env = { ...process.env, MERGEYARD_PORT: String(port), MERGEYARD_DATA: data }
  // In a group of its own, since npm starts a shell, and that the server.
  const child = spawn('bash', ['-c', start], { cwd: repositoryRoot, env, detached: true })
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGTERM'))
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`it did not start: ${said}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (more: Buffer) => {
        said += more.toString()
        if (said.includes('Mergeyard listens on')) resolve(child)
      })
    }
  })
}

/** Types the other blocks, one after the other, until something fails. */
function type({ port, data }: Own): Promise<{ code: number | null; said: string }> {
  const script = ['set -euo pipefail', ...others]
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('--against data', `--against ${data} --no-report`)
  const child = spawn('bash', ['-c', script], { cwd: repositoryRoot })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (more: Buffer) => (said += more.toString()))
  }
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, said }))
  })
}

test.skipIf(missing.length > 0)(
  `the README's "Serve it", typed as it stands${missing.map((name) => ` (no ${name} here)`).join('')}`,
  async () => {
    expect(others.length).toBeGreaterThan(5)
    const own = { port: await freePort(), data: temporaryFolder() }
    await begin(own)
    const { code, said } = await type(own)
    expect([code, said]).toEqual([0, expect.stringContaining('\nexact  ')])
    expect(said).toContain('\nholds  ')
    expect(said).toContain('"external_ticket_id":"SHOP-123"')
    expect(said).toContain('mq_depth_current{')

    const client = new Client(`http://127.0.0.1:${own.port}`, 'let-me-in', new Contract())
    const ends = async (number: number): Promise<string> => {
      const body = { ...main, pr: { number }, includeTimeline: true }
      const { timeline = [] } = await client.ok<wire.SubmittedPullRequest>(
        'getSubmittedPullRequest',
        body,
      )
      return timeline.map(({ state }) => state).join(' ')
    }
    expect(await ends(7)).toMatch(/^MERGED /)
    expect(await ends(8)).toMatch(/^CANCELLED .*FAILED /)
    expect(await ends(9)).toBe('PENDING')
  },
)
