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
  /** Does it, and lets everything run that has no timer to wait for. */
  const settled =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): Promise<void> => {
      act(...given)
      return new Promise((resolve) => setImmediate(resolve))
    }
  return {
    requests,
    frames,
    ends,
    bodies,
    waits: () => timers.filter(({ isOver }) => !isOver).map(({ after }) => after),
    answerWith: (response: (() => Response) | null) => {
      next = response
    },
    open: settled(() => connection.open()),
    close: settled(() => connection.close()),
    write: settled((bytes: string | Uint8Array) =>
      writer?.enqueue(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes),
    ),
    hangUp: settled(() => writer?.close()),
    run: settled((after: number) => {
      const timer = timers.find((each) => !each.isOver && each.after === after)
      if (!timer) throw new Error(`no timer of ${after} ms`)
      timer.isOver = true
      timer.action()
    }),
  }
}

test('a stream that was lost is opened again', async () => {
  const { open, requests, frames, ends, write, hangUp, run } = connected()
  await open()
  await write('data: 1\n\n')
  await hangUp()
  expect(frames).toEqual(['1'])
  expect(ends).toEqual(['lost'])
  await run(500)
  expect(requests).toEqual(['/page/stream?queue=q', '/page/stream?queue=q'])
})

test('pauses between tries grow to 15 s, and a frame makes them short again', async () => {
  const { open, ends, waits, answerWith, run, write, hangUp } = connected()
  answerWith(() => new Response('', { status: 502 }))
  await open()
  for (const pause of [500, 1000, 2000, 4000, 8000, 15_000]) {
    expect(waits()).toEqual([pause])
    await run(pause)
  }
  expect(waits()).toEqual([15_000])
  expect(new Set(ends)).toEqual(new Set(['lost']))
  answerWith(null)
  await run(15_000)
  await write('data: 1\n\n')
  await hangUp()
  expect(waits()).toEqual([500])
})

test('a stream that is silent for 25 s is dead, and a comment proves that it lives', async () => {
  const { open, ends, waits, write, run } = connected()
  await open()
  expect(waits()).toEqual([25_000])
  await write(': alive\n\n')
  expect(waits()).toEqual([25_000])
  expect(ends).toEqual([])
  await run(25_000)
  expect(ends).toEqual(['lost'])
})

test('a slow network may cut a letter in two', async () => {
  const { open, frames, write } = connected()
  await open()
  for (const byte of new TextEncoder().encode('data: {"title":"Łukasz 👍"}\n\n')) {
    await write(Uint8Array.of(byte))
  }
  expect(frames).toEqual(['{"title":"Łukasz 👍"}'])
})

test.each([
  ['refuses', 401, 'refused', []],
  ['does not know the queue', 404, 'missing', []],
  ['lets no more pages watch', 503, 'full', [500]],
  ['fails', 502, 'lost', [500]],
] as const)('a server that %s, with %i, is %s', async (_, status, ending, pauses) => {
  const { open, ends, bodies, waits, answerWith } = connected()
  answerWith(() => new Response('why', { status }))
  await open()
  expect(ends).toEqual([ending])
  expect(bodies).toEqual([ending === 'full' ? 'why' : ''])
  expect(waits()).toEqual(pauses)
})

test('a server that stops says so', async () => {
  const { open, ends, waits, write } = connected()
  await open()
  await write('data: bye\n\n')
  expect(ends).toEqual(['stopping'])
  expect(waits()).toEqual([500])
})

test('a closed connection is silent', async () => {
  const { open, close, ends, frames, waits } = connected()
  await open()
  await close()
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
