import { expect, test } from 'vitest'
import { pullRequestPath, queuePath, routeOf } from './route.ts'
import { starsIn } from './stars.ts'

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

test('the stars that are stored are read', () => {
  expect(starsIn('{"q1":[3,1042],"q2":[]}')).toEqual({ q1: [3, 1042], q2: [] })
})

test('what another version or somebody else has stored is left out', () => {
  for (const text of ['', 'null', '7', '[', '{"q1"']) expect(starsIn(text), text).toEqual({})
  expect(starsIn('{"q1":[1,"2",null,-3,1.5,4],"q2":{"a":1}}')).toEqual({ q1: [1, 4], q2: [] })
})

test('at most 50 are kept, the newest', () => {
  const all = Array.from({ length: 80 }, (_, index) => index + 1)
  expect(starsIn(JSON.stringify({ q1: all }))).toEqual({ q1: all.slice(30) })
})
