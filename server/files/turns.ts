/**
 * Turns of the event loop for long work: after each slice the work waits for a turn, and the loop
 * serves other requests before it.
 *
 * One slice runs in each turn of the loop, also if many requests have work. Otherwise their slices
 * together would hold the loop as long as one piece of work.
 */

type Waiting = () => void

const waiting: Waiting[] = []

/** Settles in a later turn of the event loop, in which no other slice runs. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(runNext)
  })
}

/** Runs work that yields at the end of each slice, and returns its result. */
export async function inSlices<Result>(work: Iterator<unknown, Result>): Promise<Result> {
  for (;;) {
    const slice = work.next()
    if (slice.done === true) return slice.value
    await nextTurn()
  }
}

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}

// A promise with its `resolve` and `reject`. A rejection that is not awaited causes no error.

export type Deferred<Value> = {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

export function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<Value>((onDone, onFailure) => {
    resolve = onDone
    reject = onFailure
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

/** Returns a function that calls `make` at its first call and returns that value every time. */
export function once<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | null = null
  return () => (made ??= { thing: make() }).thing
}
