import { expect, test } from 'vitest'
import { judge, tracesOf } from './swarm.ts'

const swarm = { repository: '', file: null, seeds: 2, onProgress: () => undefined }

test('given the events of the same engine, the swarm notices nothing', async () => {
  expect(await judge({ ...swarm, traces: tracesOf(2) })).toBe(null)
})

test('given other events in one seed, the swarm names this seed', async () => {
  const [first = '', , ...others] = tracesOf(2)
  const traces = [first, 'another hash', ...others]
  expect(await judge({ ...swarm, traces })).toBe('seed 2: other events')
  expect(await judge({ ...swarm, traces: null })).toBe(null)
})
