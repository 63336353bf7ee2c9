import type * as wire from '../wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Says what a pull request touches; the last upload counts. */
export const setImpactedTargets: Operation<wire.SetImpactedTargets, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const { pr, impactedTargets } = body
    return done(
      context.yard.send(name, {
        type: 'setImpactedTargets',
        number: Number(pr.number),
        targets: typeof impactedTargets === 'string' ? 'ALL' : impactedTargets,
        ...(pr.sha === undefined ? {} : { sha: pr.sha }),
      }),
    )
  })
