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
