import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { collectGarbage } from '../testing/garbage.ts'
import { signalOrAfter } from './signals.ts'

describe('a signal that also comes after a time', () => {
  test('comes although garbage is collected meanwhile', async () => {
    const signal = signalOrAfter(new AbortController().signal, 50)

    const ended = once(signal, 'abort')
    collectGarbage()
    await ended

    expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  })

  test('comes with the signal', () => {
    const stop = new AbortController()
    const signal = signalOrAfter(stop.signal, 60_000)

    stop.abort('SIGINT')

    expect(signal.reason).toBe('SIGINT')
  })
})
