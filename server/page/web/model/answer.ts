/** What the server answers at an address, for a part of the page that shows it. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Answered, get } from './ask.ts'

export type Known<Body> = {
  /** The last answer that was no refusal; null if there was none. */
  readonly body: Body | null
  /** Why the last request has no answer; null if it has. */
  readonly refusal: Exclude<Answered<Body>, { kind: 'ok' }> | null
}

/**
 * Asks, and again whenever one of `changesFor` what is known is another one. There is one request at a time; what
 * changes meanwhile leads to one more. Null before the first answer.
 */
export function useAnswer<Body>(
  address: string,
  changesFor: (body: Body | null) => readonly unknown[],
): Known<Body> | null {
  const known = useSignal<(Known<Body> & { readonly of: string }) | null>(null)
  const asking = useRef({ address, isDue: false, isBusy: false })
  const current = known.value?.of === address ? known.value : null
  useEffect(() => {
    const ask = async (): Promise<void> => {
      asking.current.isBusy = true
      while (asking.current.isDue) {
        asking.current.isDue = false
        const { address: of } = asking.current
        const answered = await get<Body>(of)
        const before = known.value?.of === of ? known.value.body : null
        known.value =
          answered.kind === 'ok'
            ? { of, body: answered.body, refusal: null }
            : { of, body: before, refusal: answered }
      }
      asking.current.isBusy = false
    }
    asking.current.address = address
    asking.current.isDue = true
    if (!asking.current.isBusy) void ask()
  }, [address, ...changesFor(current?.body ?? null)])
  return current
}
