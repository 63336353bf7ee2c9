/**
 * Runs the commands of the section "Tokens, webhooks, metrics" of server/operating while a server runs. Only the
 * data folder and the ports differ. (A test with Prometheus covers the scrape configuration.)
 */

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { main } from '../../../server/testing/client.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { start, temporaryFolder } from '../../../server/testing/test-server.ts'

const guide = { file: 'server/operating/README.md', section: 'Tokens, webhooks, metrics' }
/**
 * Replaces npx, which builds the project anew where no installation has: other tests have its pages open. The check of
 * the package uses what npx finds.
 */
const npxReplacement = `npx() { shift; node ${join('dist', 'bench', 'cli', 'mergeyard.js')} "$@"; }`

const hasBash = spawnSync('bash', ['--version']).error === undefined

test.skipIf(!hasBash)(
  `the commands of "${guide.section}" in the guide work unchanged${hasBash ? '' : ' (bash is not installed)'}`,
  async () => {
    const [tokens = '', receive = '', webhooks = '', scraper = ''] = blocksOf(guide, 'sh')
    const [receiver = ''] = blocksOf(guide, 'js')
    const { data, client, stop, log } = await start(temporaryFolder())
    onTestFinished(stop)
    const port = await freePort()
    const adapted = (text: string): string =>
      text
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replaceAll('receiver.mjs', join(data, 'receiver.mjs'))
        .replaceAll('> token', `> ${join(data, 'token')}`)
    const startScript = (script: string) =>
      spawn('bash', ['-euo', 'pipefail', '-c', `${npxReplacement}\n${adapted(script)}`], {
        cwd: repositoryRoot,
        env: { ...process.env, MERGEYARD_DATA: data },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
    const runScript = async (script: string): Promise<{ code: number | null; output: string }> => {
      const child = startScript(script)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (more: Buffer) => (output += more.toString()))
      }
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return { code, output }
    }

    const issued = await runScript(tokens)
    expect(issued).toEqual({
      code: 0,
      output: expect.stringMatching(/^my_[\s\S]*report[\s\S]*Revoked/m),
    })

    // The receiver is outside the repository, so it imports the package by its path.
    const library = new URL('node_modules/standardwebhooks/dist/index.js', repositoryRoot).href
    const text = receiver.replace(/'standardwebhooks'/, `'${library}'`)
    writeFileSync(join(data, 'receiver.mjs'), text.replace('8080', String(port)))
    const receiving = startScript(receive)
    onTestFinished(() => void process.kill(-(receiving.pid ?? 0), 'SIGTERM'))
    let received = ''
    receiving.stdout.on('data', (more: Buffer) => (received += more.toString()))
    await expect.poll(() => received).toContain('listening')
    await expect.poll(() => log.join('')).toContain('read the webhooks again')
    await client.ok('createQueue', main)
    await client.ok('submitPullRequest', { ...main, pr: { number: 7 } })
    await expect.poll(() => received).toContain('pull_request.testing 7')

    const kept = await runScript(webhooks)
    expect(kept).toEqual({
      code: 0,
      output: expect.stringMatching(/accepted[\s\S]*sending[\s\S]*Removed/),
    })
    expect(received).toContain('mergeyard.test')

    expect(await runScript(scraper)).toMatchObject({ code: 0 })
  },
)
