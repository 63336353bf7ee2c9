import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventReader } from './connection.ts'

test('an event has a name and data, and may have an id', () => {
  const reader = new EventReader()
  expect(reader.take(': hello\nretry: 1000\n\n')).toEqual([])
  expect(reader.take('data: one\n\n')).toEqual([{ name: 'message', data: 'one' }])
  expect(reader.take('event: frame\nid: a-2\ndata: {"x":\ndata: 1}\n\n')).toEqual([
    { name: 'frame', data: '{"x":\n1}' },
  ])
  // To a regular expression these two end a line, to JSON and to a stream of events they do not.
  const titled = '{"title":"a\u2028b\u2029c"}'
  expect(reader.take(`data: ${titled}\n\n`)).toEqual([{ name: 'message', data: titled }])
  expect(reader.take('event:bye\r\ndata:\r\n\r\n')).toEqual([{ name: 'bye', data: '' }])
})

test('events are the same however the stream is cut', () => {
  const stream =
    ': x\n\nevent: frame\nid: a-2\ndata: {"title":"a: b"}\n\ndata: 2\n\nevent: bye\ndata: x\n\n'
  const whole = new EventReader().take(stream)
  expect(whole).toHaveLength(3)
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      const reader = new EventReader()
      const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end))
      expect(pieces.flatMap((piece) => reader.take(piece))).toEqual(whole)
    }),
  )
})
