/** Does one thing after the other. */

export type Alone = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes a function that begins each piece of work when the one before has ended. */
export function oneAtATime(): Alone {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
