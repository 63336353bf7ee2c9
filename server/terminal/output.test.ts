/** The output of commands, at the pace of its reader. */

import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { writeAll } from './output.ts'

test('given a slow reader, it gets everything, and nothing goes on waiting for it', async () => {
  const to = new PassThrough({ highWaterMark: 1 })
  const pages = Array.from({ length: 20 }, (_, index) => `page ${index}\n`)
  const read = text(to)
  const listeners = (): number => to.listenerCount('close') + to.listenerCount('error')
  const before = listeners()
  await writeAll(to, pages)
  expect(listeners()).toBe(before)
  to.end()
  expect(await read).toBe(pages.join(''))
})
