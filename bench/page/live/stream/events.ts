/**
 * Reads a stream of server-sent events. The page reads it by `fetch` instead of `EventSource`, because
 * `EventSource` shows neither the status of a refusal nor the comments that prove that the stream lives.
 */

export type StreamEvent = {
  readonly name: string
  readonly data: string
  /** The last id of the stream so far; an event need not have one of its own. */
  readonly id: string
}

/** Takes the text piece by piece, and returns the events that each piece completes. */
export class EventReader {
  #rest = ''
  #id: string
  #name = ''
  #data: string[] = []

  constructor(lastId: string) {
    this.#id = lastId
  }

  take(text: string): StreamEvent[] {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line.replace(/\r$/, '')) ?? [])
  }

  /** An empty line ends an event. A line that begins with a colon is a comment. */
  #line(line: string): StreamEvent | null {
    if (line === '') return this.#ended()
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'id') this.#id = value
    if (field === 'event') this.#name = value
    if (field === 'data') this.#data.push(value)
    return null
  }

  #ended(): StreamEvent | null {
    const event = { name: this.#name || 'message', data: this.#data.join('\n'), id: this.#id }
    const isEmpty = this.#data.length === 0
    this.#name = ''
    this.#data = []
    return isEmpty ? null : event
  }
}
