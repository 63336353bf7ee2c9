import { expect, test } from 'vitest'
import { pullRequestPath, queuePath, routeOf } from './route.ts'

test('an address names the list of queues, a queue, or a pull request', () => {
  expect(routeOf('/')).toEqual({ page: 'queues' })
  expect(routeOf('/q/q7')).toEqual({ page: 'queue', queue: 'q7' })
  expect(routeOf('/q/q7/')).toEqual({ page: 'queue', queue: 'q7' })
  expect(routeOf('/q/q7/run/42')).toEqual({ page: 'run', queue: 'q7', run: '42' })
  expect(routeOf('/q/q7/42')).toEqual({ page: 'pull request', queue: 'q7', number: 42 })
})

test('an address that nobody made is unknown', () => {
  for (const path of [
    '/q',
    '/q/',
    '/q/%',
    '/q/a/b',
    '/q/a/run',
    '/q/a/1e3',
    '/q/a/1/2',
    '/x',
    '/q/a/12345678901',
  ]) {
    expect(routeOf(path), path).toEqual({ page: 'unknown' })
  }
})

test('the paths of the page lead back to what they were made from', () => {
  const queue = 'a/b c?#é'
  expect(routeOf(queuePath(queue))).toEqual({ page: 'queue', queue })
  expect(routeOf(pullRequestPath(queue, 7))).toEqual({ page: 'pull request', queue, number: 7 })
})
