import { pino } from 'pino'
import { expect, test } from 'vitest'
import { nameAmong, queueRefFrom } from '../identity/queue-ref.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { Story, warningIn } from './story.ts'

/** What a person reads of a line of the log, without the time. */
function read(write: (logger: pino.Logger) => void, several = false): string {
  let shown = ''
  write(pino({ base: null }, { write: (line) => (shown += warningIn(line, several)) }))
  return shown.slice('14:07:31  '.length)
}

test('a warning names what its words are about', () => {
  const branches = ['queue/a', 'queue/b']
  expect(read((log) => log.warn({ queue: 'main', branches }, 'these are no request'))).toBe(
    'WARNING                     these are no request (queue/a, queue/b)\n',
  )
  const file = 'data/log/00000001.jsonl'
  expect(read((log) => log.warn({ file, tornBytes: 7 }, 'ignored an incomplete line'))).toBe(
    'WARNING                     ignored an incomplete line (file data/log/00000001.jsonl, tornBytes 7)\n',
  )
  expect(read((log) => log.error({ err: new Error('no\nroute'), number: 7 }, 'no look'))).toBe(
    'WARNING    #7               no look: no route\n',
  )
})

test('of several queues the one is named', () => {
  const write = (log: pino.Logger): void => log.warn({ queue: 'a/b/c:main' }, 'paused')
  expect(read(write)).not.toContain('a/b/c')
  expect(read(write, true)).toContain('paused (queue a/b/c:main)')
})

test('what nobody must read is no line of the story', () => {
  expect(read((log) => log.info({ file: 'x' }, 'verified'))).toBe('')
})

//
test('where the branch fails by itself, its line says that the queue has stopped', () => {
  const queue = new DrivenQueue({ tipTestMode: 'always', batch: false })
  const story = new Story()
  queue.submit(0, 1)
  const told = [1, 2].map((testRun) => {
    const { events } = queue.at(testRun, { type: 'finishTestRun', testRun, outcome: 'failed' })
    return story.linesOf(events, '14:07', queue.queue)
  })
  expect(told[0]).toBe('14:07  testing    the branch\n')
  expect(told[1]).toMatch(
    /^14:07 {2}failed {5}the branch {7}main fails by itself: its tests fail; /,
  )
})

test('a line says which queue it is of, as briefly as it can be told from the others', () => {
  const named = (...names: readonly string[]): readonly string[] => {
    const refs = names.map((name) => queueRefFrom(name))
    return refs.map((ref) => nameAmong(ref, refs))
  }
  expect(named('local/acme/shop:main')).toEqual([''])
  expect(named('local/acme/shop:main', 'local/acme/shop:release')).toEqual(['main', 'release'])
  expect(named('local/acme/shop:main', 'local/acme/docs:main')).toEqual(['shop:main', 'docs:main'])
  const twins = ['github.com/acme/shop:main', 'gitlab.com/acme/shop:main']
  expect(named(...twins)).toEqual(twins)
})
