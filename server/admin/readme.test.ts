/**
 * The README's section "Tokens, webhooks, metrics", as somebody would type it, beside a server.
 * Only the data folder and the ports are a test's own. (Its scrape configuration is tested with
 * Prometheus.)
 */

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../testing/client.ts'
import { blocksOf, repositoryRoot } from '../testing/readme.ts'
import { start, temporaryFolder } from '../testing/running.ts'
import { freePort } from '../testing/free-port.ts'

const section = 'Tokens, webhooks, metrics'
const missing = ['bash', 'npx'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
)
const patience = { timeout: 30_000, interval: 50 }

test.skipIf(missing.length > 0)(
  `the README's "${section}", typed as it stands${missing.map((name) => ` (no ${name} here)`).join('')}`,
  { timeout: 120_000 },
  async () => {
    const [tokens = '', receive = '', webhooks = '', scraper = ''] = blocksOf(section, 'sh')
    const [receiver = ''] = blocksOf(section, 'js')
    const { data, client, stop, log } = await start(temporaryFolder())
    onTestFinished(stop)
    const port = await freePort()
    const own = (text: string): string =>
      text
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replaceAll('receiver.mjs', join(data, 'receiver.mjs'))
        .replaceAll('> token', `> ${join(data, 'token')}`)
    const type = (script: string) =>
      spawn('bash', ['-euo', 'pipefail', '-c', own(script)], {
        cwd: repositoryRoot,
        env: { ...process.env, MERGEYARD_DATA: data },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
    const typed = async (script: string): Promise<{ code: number | null; said: string }> => {
      const child = type(script)
      let said = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (more: Buffer) => (said += more.toString()))
      }
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return { code, said }
    }

    const issued = await typed(tokens)
    expect(issued).toEqual({
      code: 0,
      said: expect.stringMatching(/^my_[\s\S]*report[\s\S]*is revoked/m),
    })

    // It finds the package where the repository has it, wherever it lies itself.
    const library = new URL('node_modules/standardwebhooks/dist/index.js', repositoryRoot).href
    const text = receiver.replace(/'standardwebhooks'/, `'${library}'`)
    writeFileSync(join(data, 'receiver.mjs'), text.replace('8080', String(port)))
    const receiving = type(receive)
    onTestFinished(() => void process.kill(-(receiving.pid ?? 0), 'SIGTERM'))
    let received = ''
    receiving.stdout.on('data', (more: Buffer) => (received += more.toString()))
    await expect.poll(() => received, patience).toContain('listening')
    await expect.poll(() => log.join(''), patience).toContain('read the webhooks again')
    await client.ok('createQueue', main)
    await client.ok('submitPullRequest', { ...main, pr: { number: 7 } })
    await expect.poll(() => received, patience).toContain('pull_request.testing 7')

    const kept = await typed(webhooks)
    expect(kept).toEqual({
      code: 0,
      said: expect.stringMatching(/has taken it[\s\S]*sending[\s\S]*is removed/),
    })
    expect(received).toContain('mergeyard.test')

    expect(await typed(scraper)).toMatchObject({ code: 0 })
  },
)
