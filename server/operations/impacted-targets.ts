/** The operation that sets the impacted targets of a pull request, also with a long list of them. */

import type * as wire from '../contract/wire.ts'
import { contradiction, withQueue, type Context, type LongOperation, done } from './operation.ts'
import { inSlices } from '../files/turns.ts'
import { TooLong, targetsInForce } from '../targets/in-force.ts'

type Targets = readonly string[] | 'ALL'

/** Sets the impacted targets of a pull request; the last upload counts. */
export const setImpactedTargets: LongOperation<wire.SetImpactedTargets, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const { impactedTargets: uploaded } = body
    if (typeof uploaded === 'string') return sendTargets(context, { name, body, targets: 'ALL' })
    return inSlices(targetsInForce(uploaded)).then((targets) =>
      targets instanceof TooLong
        ? contradiction(targets.text)
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
