/** The operation that sets the impacted targets of a pull request, also with a long list of them. */

import type * as wire from '../contract/wire.ts'
import { reject, withQueue, type Context, type LongOperation, done } from './operation.ts'
import { inSlices } from '../files/turns.ts'

type Targets = readonly string[] | 'ALL'

/** Sets the impacted targets of a pull request; the last upload counts. */
export const setImpactedTargets: LongOperation<wire.SetImpactedTargets, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const { impactedTargets: uploaded } = body
    if (typeof uploaded === 'string') return sendTargets(context, { name, body, targets: 'ALL' })
    if (!isLongList(uploaded)) return sendTargets(context, { name, body, targets: uploaded })
    return inSlices(targetsInForce(uploaded)).then((targets) =>
      targets instanceof TooLong
        ? reject({ code: 'contradiction', text: targets.text })
        : sendTargets(context, { name, body, targets }),
    )
  })

type Upload = {
  readonly name: string
  readonly body: wire.SetImpactedTargets
  readonly targets: Targets
}

function sendTargets({ manager }: Context, { name, body: { pr }, targets }: Upload) {
  return done(
    manager.send(name, {
      type: 'setImpactedTargets',
      number: Number(pr.number),
      targets,
      ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    }),
  )
}

// Long lists of impacted targets. Work on a list is one command of the engine, so its length limits
// how long a command holds the event loop.

/** Shorter lists need no slices. */
const shortLength = 1000
/** More different names than this, or more characters in them together, are refused. */
export const mostTargets = 8000
export const mostCharacters = 500_000

const perSlice = 10_000

function isLongList(targets: readonly string[]): boolean {
  return targets.length > shortLength
}

/** A list that is too long, in words. */
export class TooLong {
  readonly text: string

  constructor(what: string) {
    this.text = `impactedTargets has ${what} or more: send fewer, or "ALL", which impacts everything`
  }
}

const tooManyNames = new TooLong(`${(mostTargets + 1).toLocaleString('en')} different names`)
const tooManyCharacters = new TooLong(
  `${(mostCharacters + 1).toLocaleString('en')} characters in different names`,
)

/** Returns each name once, `ALL`, or why the list is refused. Yields at the end of each slice. A-140 */
export function* targetsInForce(
  targets: readonly string[],
): Generator<undefined, readonly string[] | 'ALL' | TooLong> {
  const names = new Set<string>()
  let characters = 0
  for (const [index, name] of targets.entries()) {
    if (index % perSlice === perSlice - 1) yield
    if (name === 'ALL') return 'ALL'
    if (names.has(name)) continue
    names.add(name)
    characters += name.length
    if (names.size > mostTargets) return tooManyNames
    if (characters > mostCharacters) return tooManyCharacters
  }
  return [...names]
}
