import { inSlices } from '../files/turns.ts'
import type * as wire from '../contract/wire.ts'
import { isLongList, targetsInForce, TooLong } from './long-targets.ts'
import { done, reject, withQueue, type Context, type LongOperation } from './operation.ts'

type Targets = readonly string[] | 'ALL'

/** Sets the impacted targets of a pull request; the last upload counts. */
export const setImpactedTargets: LongOperation<wire.SetImpactedTargets, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const { impactedTargets: given } = body
    if (typeof given === 'string') return send(context, { name, body, targets: 'ALL' })
    if (!isLongList(given)) return send(context, { name, body, targets: given })
    return inSlices(targetsInForce(given)).then((targets) =>
      targets instanceof TooLong
        ? reject({ code: 'contradiction', text: targets.text })
        : send(context, { name, body, targets }),
    )
  })

type Upload = {
  readonly name: string
  readonly body: wire.SetImpactedTargets
  readonly targets: Targets
}

function send({ manager }: Context, { name, body: { pr }, targets }: Upload) {
  return done(
    manager.send(name, {
      type: 'setImpactedTargets',
      number: Number(pr.number),
      targets,
      ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    }),
  )
}
