/** A page that reads slowly, or never, holds up nobody. */

import { createServer, request, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { listening } from '../testing/listening.ts'
import { Watcher } from './channel.ts'

const mebibyte = Buffer.alloc(1 << 20, 'x')
const most = 64

/** A watcher, and the response that its reader gets; nothing is read yet. */
async function watched() {
  const happened: string[] = []
  const watchers: Watcher[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200)
    response.flushHeaders()
    const events = {
      onCaughtUp: () => void happened.push('caught up'),
      onClose: () => void happened.push('closed'),
    }
    watchers.push(new Watcher(response, events))
  })
  const port = await listening(server)
  const reader = await new Promise<IncomingMessage>((resolve) =>
    request({ port, agent: false }, resolve).end(),
  )
  reader.pause()
  const [watcher] = watchers
  if (!watcher) throw new Error('nobody watches')
  return { watcher, reader, happened }
}

test('what a slow reader cannot take is not kept for it, and it is told when it can read on', async () => {
  const { watcher, reader, happened } = await watched()
  for (let count = 0; count < most; count++) watcher.send(mebibyte)
  expect(happened).toEqual([])
  let bytes = 0
  reader.on('data', (chunk: Buffer) => (bytes += chunk.length))
  reader.resume()
  await expect.poll(() => happened).toEqual(['caught up'])
  watcher.send(Buffer.from('a change before the whole'))
  watcher.sendWhole(Buffer.from('whole'))
  watcher.send(Buffer.from('again'))
  watcher.end(Buffer.from('bye'))
  await new Promise((resolve) => reader.on('end', resolve))
  expect(bytes).toBeLessThan(most * mebibyte.length)
  expect(bytes % mebibyte.length).toBe('wholeagainbye'.length)
})

test('a stop does not wait for a reader that never reads', async () => {
  const { watcher, happened } = await watched()
  for (let count = 0; count < most; count++) watcher.send(mebibyte)
  watcher.end(Buffer.from('bye'))
  await expect.poll(() => happened).toEqual(['closed'])
})

test('a reader that is gone is told once', async () => {
  const { watcher, reader, happened } = await watched()
  reader.destroy()
  await expect.poll(() => happened).toEqual(['closed'])
  watcher.send(mebibyte)
  expect(happened).toEqual(['closed'])
})
