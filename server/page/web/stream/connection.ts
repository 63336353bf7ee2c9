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
      if (response.status === 401 || response.status === 403) return { ending: 'refused' }
      if (response.status === 404) return { ending: 'missing' }
      if (response.status === 503) return { ending: 'full', body: await response.text() }
      if (!response.ok || !response.body) return { ending: 'lost' }
      const reader = new EventReader()
      const decoder = new TextDecoder()
      for (const source = response.body.getReader(); ;) {
        const { done, value } = await source.read()
        if (done) return { ending: 'lost' }
        stop.again()
        this.#events.onSign()
        const events = reader.take(decoder.decode(value, { stream: true }))
        if (events.some((event) => this.#take(event) === 'bye')) {
          return { ending: 'stopping' }
        }
      }
    } catch {
      return { ending: 'lost' }
    } finally {
      stop.forever()
    }
  }

  #take({ name, data }: StreamEvent): 'bye' | 'go on' {
    if (name === 'bye') return 'bye'
    if (name !== 'frame') return 'go on'
    this.#failures = 0
    this.#events.onFrame(data)
    return 'go on'
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

// Reads a stream of server-sent events. The page reads it by `fetch` instead of `EventSource`, because
// `EventSource` shows neither the status of a refusal nor the comments that prove that the stream lives.

type StreamEvent = {
  readonly name: string
  readonly data: string
}

/** Takes the text piece by piece, and returns the events that each piece completes. */
export class EventReader {
  #rest = ''
  #name = ''
  #data: string[] = []

  take(text: string): StreamEvent[] {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line.replace(/\r$/, '')) ?? [])
  }

  /** An empty line ends an event. A line that begins with a colon is a comment. */
  #line(line: string): StreamEvent | null {
    if (line === '') return this.#ended()
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#name = value
    if (field === 'data') this.#data.push(value)
    return null
  }

  #ended(): StreamEvent | null {
    const event = { name: this.#name || 'message', data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#name = ''
    this.#data = []
    return isEmpty ? null : event
  }
}
