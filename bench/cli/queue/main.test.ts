import { PassThrough } from 'node:stream'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, temporaryFolder, untilSome } from '../../../server/testing/test-server.ts'
import { runCommand } from '../commands.ts'
import { executable } from '../../benchmarks/served.ts'
import { childToken, startChild } from '../start/testing/child-server.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { startProgram } from '../testing/program.ts'
import { removeLocal, writeLocal } from '../../../server/cli/remote-server.ts'

const name = `${queue.repo.host}/${queue.repo.owner}/${queue.repo.name}:${queue.targetBranch}`

test('a live queue outlives its server, says that it is lost, and finds the next one', async () => {
  const data = temporaryFolder()
  const serve = async () => {
    const server = await start(data)
    await writeLocal(data, { url: server.url, token: admin, queues: [name] })
    return server
  }
  const first = await serve()
  await first.client.call('createQueue', queue)
  let frame = ''
  const stdout = Object.assign(new PassThrough(), { isTTY: true })
  stdout.on('data', (chunk: Buffer) => (frame = String(chunk)))
  const shows = (words: RegExp) =>
    untilSome(() => Promise.resolve(words.test(frame) ? frame : null))
  const stop = new AbortController()
  const context = { stdout, stderr: new PassThrough(), env: {}, signal: stop.signal }
  const ended = runCommand(['queue', '--data', data], context)
  await shows(/RUNNING, 0 pull requests/)

  await first.stop()
  removeLocal(data)
  expect(await shows(/lost the server, trying again/)).toMatch(/RUNNING, 0 pull requests/)
  const second = await serve()
  await second.client.call('submitPullRequest', { ...queue, pr: { number: 7 } })
  expect(await shows(/#7/)).not.toMatch(/lost/)

  stop.abort()
  expect(await ended).toBe(0)
  await second.stop()
})

test('finds a server of start and a demo by their data folder, and says when a token is needed', async () => {
  const home = new CliFolder()
  const [own, demo] = [join(home.path, 'own'), join(home.path, 'demo')]
  const token = { MERGEYARD_TOKEN: childToken }
  const scenario = ['--demo', 'scenarios/a-passing-batch-merges-all.json', '--port', '0']
  const playing = startProgram([process.execPath, executable, 'start', '--data', demo, ...scenario])
  await playing.prints(/^ +token /m)
  const servers = [await startChild(own), playing]
  const shown = async (data: string, env: NodeJS.ProcessEnv, ...more: readonly string[]) => {
    const { code, out, err } = await home.run(['queue', '--data', data, ...more], env)
    return { code, said: `${out}${err}` }
  }
  const withoutToken = await shown(own, {})
  expect(withoutToken).toMatchObject({ code: 2, said: expect.stringContaining('MERGEYARD_TOKEN') })
  expect((await shown(own, token, '--queue', name)).said).toContain('no merge queue')
  expect((await shown(demo, {})).said).toContain('RUNNING')
  for (const server of servers) await server.end()
  expect((await shown(own, token)).said).toContain('no server runs on')
  home.remove()
})
