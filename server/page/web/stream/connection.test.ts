import { expect, test } from 'vitest'
import fc from 'fast-check'
import { Connection, type Ending, dataIn } from './connection.ts'

type Timer = { readonly after: number; readonly action: () => void; isOver: boolean }

/** A connection to streams that the test writes, with timers that the test runs. */
function connected() {
  const requests: string[] = []
  const frames: string[] = []
  const ends: Ending[] = []
  const bodies: string[] = []
  const timers: Timer[] = []
  let next: (() => Response) | null = null
  let writer: ReadableStreamDefaultController<Uint8Array> | null = null
  const connection = new Connection(
    '/page/stream?queue=q',
    {
      fetch: (url, { signal }) => {
        requests.push(url)
        if (next) return Promise.resolve(next())
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            writer = controller
            signal.addEventListener('abort', () => controller.error(new Error('aborted')))
          },
        })
        return Promise.resolve(new Response(body))
      },
      setTimer: (after, action) => {
        const timer = { after, action, isOver: false }
        timers.push(timer)
        return () => {
          timer.isOver = true
        }
      },
      random: () => 0.5,
    },
    {
      onSign: () => undefined,
      onFrame: (data) => void frames.push(data),
      onEnd: (ending, body) => {
        ends.push(ending)
        bodies.push(body)
      },
    },
  )
  return {
    connection,
    requests,
    frames,
    ends,
    bodies,
    waits: () => timers.filter(({ isOver }) => !isOver).map(({ after }) => after),
    write: (text: string) => writer?.enqueue(new TextEncoder().encode(text)),
    writeBytes: (bytes: Uint8Array) => writer?.enqueue(bytes),
    hangUp: () => writer?.close(),
    answerWith: (response: (() => Response) | null) => {
      next = response
    },
    run: (after: number) => {
      const timer = timers.find((each) => !each.isOver && each.after === after)
      if (!timer) throw new Error(`no timer of ${after} ms`)
      timer.isOver = true
      timer.action()
    },
  }
}

/** Lets everything run that has no timer to wait for. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a stream that was lost is opened again', async () => {
  const { connection, requests, frames, ends, write, hangUp, run } = connected()
  connection.open()
  await settle()
  write('data: 1\n\n')
  await settle()
  hangUp()
  await settle()
  expect(frames).toEqual(['1'])
  expect(ends).toEqual(['lost'])
  run(500)
  await settle()
  expect(requests).toEqual(['/page/stream?queue=q', '/page/stream?queue=q'])
})

test('pauses between tries grow to 15 s, and a frame makes them short again', async () => {
  const { connection, ends, waits, answerWith, run, write, hangUp } = connected()
  answerWith(() => new Response('', { status: 502 }))
  connection.open()
  for (const pause of [500, 1000, 2000, 4000, 8000, 15_000]) {
    await settle()
    expect(waits()).toEqual([pause])
    run(pause)
  }
  await settle()
  expect(waits()).toEqual([15_000])
  expect(new Set(ends)).toEqual(new Set(['lost']))
  answerWith(null)
  run(15_000)
  await settle()
  write('data: 1\n\n')
  await settle()
  hangUp()
  await settle()
  expect(waits()).toEqual([500])
})

test('a stream that is silent for 25 s is dead, and a comment proves that it lives', async () => {
  const { connection, ends, waits, write, run } = connected()
  connection.open()
  await settle()
  expect(waits()).toEqual([25_000])
  write(': alive\n\n')
  await settle()
  expect(waits()).toEqual([25_000])
  expect(ends).toEqual([])
  run(25_000)
  await settle()
  expect(ends).toEqual(['lost'])
})

test('a slow network may cut a letter in two', async () => {
  const { connection, frames, writeBytes } = connected()
  connection.open()
  await settle()
  for (const byte of new TextEncoder().encode('data: {"title":"Łukasz 👍"}\n\n')) {
    writeBytes(Uint8Array.of(byte))
    await settle()
  }
  expect(frames).toEqual(['{"title":"Łukasz 👍"}'])
})

test.each([
  ['refuses', 401, 'refused', []],
  ['does not know the queue', 404, 'missing', []],
  ['lets no more pages watch', 503, 'full', [500]],
  ['fails', 502, 'lost', [500]],
] as const)('a server that %s, with %i, is %s', async (_, status, ending, pauses) => {
  const { connection, ends, bodies, waits, answerWith } = connected()
  answerWith(() => new Response('why', { status }))
  connection.open()
  await settle()
  expect(ends).toEqual([ending])
  expect(bodies).toEqual([ending === 'full' ? 'why' : ''])
  expect(waits()).toEqual(pauses)
})

test('a server that stops says so', async () => {
  const { connection, ends, waits, write } = connected()
  connection.open()
  await settle()
  write('data: bye\n\n')
  await settle()
  expect(ends).toEqual(['stopping'])
  expect(waits()).toEqual([500])
})

test('a closed connection is silent', async () => {
  const { connection, ends, frames, waits } = connected()
  connection.open()
  await settle()
  connection.close()
  await settle()
  expect([ends, frames, waits()]).toEqual([[], [], []])
})

test('the data of events are the same however the stream is cut', () => {
  // To a regular expression two of these characters end a line, to JSON and to a stream of events they do not.
  const data = ['{"title":"a: b"}', '{"title":"a\u2028b\u2029c"}', 'bye']
  const stream = `: hello\n\n${data.map((each) => `data: ${each}\n\n`).join(': alive\n\n')}`
  expect(dataIn()(stream)).toEqual(data)
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end))
      const take = dataIn()
      expect(pieces.flatMap((piece) => take(piece))).toEqual(data)
    }),
  )
})
