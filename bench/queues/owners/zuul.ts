/** What Zuul accepts: the attributes of a dependent pipeline that are printed. */

import { closed, listOf, text, wholeFrom, type Owner } from './schema.ts'

const change = { enum: ['linear', 'exponential'] } as const

export const zuulWindow = {
  window: wholeFrom(0),
  'window-floor': wholeFrom(1),
  'window-ceiling': wholeFrom(1),
  'window-increase-type': change,
  'window-increase-factor': wholeFrom(1),
  'window-decrease-type': change,
  'window-decrease-factor': wholeFrom(1),
} as const

const pipeline = closed({ name: text, manager: { enum: ['dependent'] }, ...zuulWindow }, [
  'name',
  'manager',
])

export const zuulOwner: Owner = {
  schema: listOf(closed({ pipeline })),
  source:
    'the attributes of a pipeline in the documentation on zuul-ci.org (read 2026-08-21); Zuul publishes no schema',
}
