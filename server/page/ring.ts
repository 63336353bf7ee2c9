/** The last frames of a stream, so that a page which was away for a moment gets only what it missed. */

const mostFrames = 1_000
const mostBytes = 1 << 20

type Kept = { readonly id: number; readonly bytes: Buffer }

export class Ring {
  readonly #frames: Kept[] = []
  #bytes = 0
  /** A page that has seen this frame, or a later one, has missed nothing that is not kept. */
  #from = 0

  /** Frames are numbered from 1. */
  add(id: number, bytes: Buffer): void {
    this.#frames.push({ id, bytes })
    this.#bytes += bytes.length
    while (this.#frames.length > mostFrames || this.#bytes > mostBytes) {
      const oldest = this.#frames.shift()
      if (!oldest) return
      this.#bytes -= oldest.bytes.length
      this.#from = oldest.id
    }
  }

  /** The frames after this one; null if some of them are not kept, or it is of the future. */
  after(id: number, last: number): readonly Buffer[] | null {
    if (id < this.#from || id > last) return null
    return this.#frames.filter((frame) => frame.id > id).map(({ bytes }) => bytes)
  }
}
