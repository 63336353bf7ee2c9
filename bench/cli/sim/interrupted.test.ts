import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import type { Steps } from '../../../sim/run/simulate.ts'
import { writeAll } from '../../../server/terminal/output.ts'
import { untilInterrupted } from '../../../sim/cli/run-files.ts'
import { SimFolder } from './testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())

function* endless(onStep: () => void): Steps<never> {
  for (;;) {
    onStep()
    yield
  }
}

describe('Ctrl-C', () => {
  test('ends a run of any length', async () => {
    const interrupt = new AbortController()
    setImmediate(() => interrupt.abort())
    let steps = 0
    expect(
      await untilInterrupted(
        endless(() => void steps++),
        interrupt.signal,
      ),
    ).toBeNull()
    expect(steps).toBeGreaterThan(0)
  })

  test('is reported after the finished results: exit code 130', async () => {
    const lone = home.scenario('lone', { pullRequests: [{ number: 1 }] })
    const alone = await home.simInterrupted([lone, '--no-report'])
    expect(alone).toEqual({
      code: 130,
      out: '',
      err: 'mergeyard: interrupted before the end of lone\n',
    })
    const both = await home.simInterrupted([lone, lone, '--no-report', '--json'])
    expect(both.code).toBe(130)
    expect(JSON.parse(both.out)).toEqual({ results: [] })
  })
})

test('a reader that closes the pipe ends the output without an error', async () => {
  const pipe = new PassThrough({ highWaterMark: 10 })
  pipe.on('error', () => undefined)
  setImmediate(() => pipe.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })))
  await writeAll(pipe, ['longer than the pipe', 'never read'])
  expect(pipe.destroyed).toBe(true)
})
