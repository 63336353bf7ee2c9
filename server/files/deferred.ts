/** A promise with its `resolve` and `reject`. A rejection that is not awaited causes no error. */

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
