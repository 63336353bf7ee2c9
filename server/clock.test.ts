/** A server whose system time was wrong once, over HTTP. */

import { expect, test } from 'vitest'
import { main } from './testing/client.ts'
import { start, temporaryFolder } from './testing/test-server.ts'
import { systemTime } from './queues/system-clock.ts'
import type * as wire from './contract/wire.ts'

const days = 24 * 60 * 60_000

//
test('given a system time that was 400 days ahead for one command, it is told at once and stamps continue', async () => {
  const right = Date.UTC(2026, 0, 1)
  const wrong = { ...systemTime, system: () => right + 400 * days }
  const server = await start(temporaryFolder(), { time: wrong })
  await server.client.ok('createQueue', main)
  await server.stop()

  const time = { ...systemTime, system: () => right }
  const { client, log, stop } = await start(server.data, { time })
  const warning = /the clock of the queues is 34\d{6} s ahead of the system time/
  expect(log.join('')).toMatch(warning)
  const ready = await client.get('readyz', '/readyz')
  const health: wire.Health = JSON.parse(ready.text)
  expect(health).toEqual({ status: 'ok', warnings: [expect.stringMatching(warning)] })
  const { text } = await client.send('/metrics', { method: 'GET' })
  expect(text).toMatch(/^mergeyard_clock_ahead_seconds 34\d{6}/m)
  const { stateChangedAt } = await client.ok<wire.SubmittedPullRequest>('submitPullRequest', {
    ...main,
    pr: { number: 1 },
  })
  expect(Date.parse(stateChangedAt)).toBeGreaterThanOrEqual(right + 400 * days)
  await stop()
})
