/**
 * The connection of the page to the stream of a queue: it opens it, reads it, notices when it dies, and
 * opens it again.
 */

export type Ending =
  /** The server said that it stops. */
  | 'stopping'
  /** Nobody is signed in, or the queue is not shown to this token. */
  | 'refused'
  /** There is no such queue. */
  | 'missing'
  /** The server lets no more pages watch, and says so in the body. */
  | 'full'
  /** The network or the server failed, or nothing came for too long. */
  | 'lost'

export type ConnectionParts = {
  readonly fetch: (url: string, options: { readonly signal: AbortSignal }) => Promise<Response>
  readonly setTimer: (after: number, action: () => void) => () => void
  /** From 0 to 1. */
  readonly random: () => number
}

export type ConnectionEvents = {
  /** Something came, be it a comment: the stream lives. */
  readonly onSign: () => void
  readonly onFrame: (data: string) => void
  readonly onEnd: (ending: Ending, body: string) => void
}

/** The server writes a comment every 15 s, so a stream that is silent for longer is dead. */
const mostSilence = 25_000

const firstPause = 500
const longestPause = 15_000

const endings: Readonly<Partial<Record<number, Ending>>> = {
  401: 'refused',
  403: 'refused',
  404: 'missing',
  503: 'full',
}

type End = { readonly ending: Ending; readonly body?: string }

export class Connection {
  readonly #url: string
  readonly #parts: ConnectionParts
  readonly #events: ConnectionEvents
  #failures = 0
  #abort: AbortController | null = null
  #endPause: () => void = () => undefined

  constructor(url: string, parts: ConnectionParts, events: ConnectionEvents) {
    this.#url = url
    this.#parts = parts
    this.#events = events
  }

  /** Opens the stream, unless it is open. */
  open(): void {
    if (this.#abort) return
    this.#endPause()
    const abort = new AbortController()
    this.#abort = abort
    void this.#read(abort).then((end) => this.#ended(abort, end))
  }

  /** Closes the stream. It is opened again only by `open`. */
  close(): void {
    this.#endPause()
    this.#abort?.abort()
    this.#abort = null
  }

  /** For what cannot be understood: the next stream begins with a whole. */
  startAnew(): void {
    this.#abort?.abort()
  }

  async #read(abort: AbortController): Promise<End> {
    const stop = this.#watch(abort)
    try {
      const response = await this.#parts.fetch(this.#url, { signal: abort.signal })
      const ending = endings[response.status]
      if (ending === 'full') return { ending, body: await response.text() }
      if (ending) return { ending }
      if (!response.ok || !response.body) return { ending: 'lost' }
      const take = dataIn()
      const decoder = new TextDecoder()
      for (const source = response.body.getReader(); ;) {
        const { done, value } = await source.read()
        if (done) return { ending: 'lost' }
        stop.again()
        this.#events.onSign()
        const events = take(decoder.decode(value, { stream: true }))
        if (!events.every((data) => this.#goesOn(data))) return { ending: 'stopping' }
      }
    } catch {
      return { ending: 'lost' }
    } finally {
      stop.forever()
    }
  }

  #goesOn(data: string): boolean {
    if (data === 'bye') return false
    this.#failures = 0
    this.#events.onFrame(data)
    return true
  }

  /** Aborts a silent stream. A network that vanishes gives no error for many minutes. */
  #watch(abort: AbortController): { again: () => void; forever: () => void } {
    const start = (): (() => void) => this.#parts.setTimer(mostSilence, () => abort.abort())
    let cancel = start()
    const again = (): void => {
      cancel()
      cancel = start()
    }
    return { again, forever: () => cancel() }
  }

  #ended(abort: AbortController, { ending, body = '' }: End): void {
    if (this.#abort !== abort) return
    abort.abort()
    this.#abort = null
    if (ending !== 'refused' && ending !== 'missing') this.#openLater()
    this.#events.onEnd(ending, body)
  }

  /** The pause differs between pages, so that they do not all come back in the same second. */
  #openLater(): void {
    const pause = Math.min(longestPause, firstPause * 2 ** this.#failures)
    this.#failures += 1
    const after = pause * (0.5 + this.#parts.random())
    this.#endPause = this.#parts.setTimer(after, () => this.open())
  }
}

/**
 * Reads a stream of server-sent events: takes its text piece by piece, and returns the data that each piece completes. The
 * server writes an event in one line of JSON. `EventSource` shows neither the status of a refusal nor the comments that
 * prove that the stream lives.
 */
export function dataIn(): (piece: string) => string[] {
  let rest = ''
  return (piece) => {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line.startsWith(mark) ? line.slice(mark.length) : []))
  }
}

const mark = 'data: '
