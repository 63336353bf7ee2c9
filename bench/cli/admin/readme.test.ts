/**
 * Runs the commands of the section "Tokens, webhooks, metrics" of server/operating while a server runs. Only the
 * data folder and the ports differ. (A test with Prometheus covers the scrape configuration.)
 */

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { main } from '../../../server/testing/client.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { start, temporaryFolder } from '../../../server/testing/test-server.ts'
import { type Program, startProgram } from '../testing/program.ts'

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
    const startScript = (script: string): Program => {
      const text = `${npxReplacement}\n${adapted(script)}`
      const env = { ...process.env, MERGEYARD_DATA: data }
      const shell = ['bash', '-euo', 'pipefail', '-c', text]
      return startProgram(shell, { cwd: repositoryRoot, env, detached: true })
    }
    const runScript = async (script: string) => {
      const { ended, all } = startScript(script)
      return { code: await ended, output: all() }
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
    onTestFinished(() => void process.kill(-(receiving.process.pid ?? 0), 'SIGTERM'))
    await receiving.prints(/listening/)
    await expect.poll(() => log.join('')).toContain('read the webhooks again')
    await client.ok('createQueue', main)
    await client.ok('submitPullRequest', { ...main, pr: { number: 7 } })
    await receiving.prints(/pull_request\.testing 7/)

    const kept = await runScript(webhooks)
    expect(kept).toEqual({
      code: 0,
      output: expect.stringMatching(/accepted[\s\S]*sending[\s\S]*Removed/),
    })
    expect(receiving.out()).toContain('mergeyard.test')

    expect(await runScript(scraper)).toMatchObject({ code: 0 })
  },
)
