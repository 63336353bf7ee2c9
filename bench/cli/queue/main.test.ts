import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, temporaryFolder, untilSome } from '../../../server/testing/test-server.ts'
import { runCommand } from '../commands.ts'
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
