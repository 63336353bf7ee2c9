import type * as wire from '../contract/wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Sets the impacted targets of a pull request; the last upload counts. */
export const setImpactedTargets: Operation<wire.SetImpactedTargets, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const { pr, impactedTargets } = body
    return done(
      context.manager.send(name, {
        type: 'setImpactedTargets',
        number: Number(pr.number),
        targets: typeof impactedTargets === 'string' ? 'ALL' : impactedTargets,
        ...(pr.sha === undefined ? {} : { sha: pr.sha }),
      }),
    )
  })
