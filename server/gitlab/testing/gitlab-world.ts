/** A server whose queue works on a project of the fake GitLab. */

import {
  forgeWorld,
  ofShop,
  placeAt,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
import { requestOrders } from '../../forge/testing/request-orders.ts'
import { stagedFake } from '../../forge/testing/simulated-host.ts'
import { countedReviews, mayWrite } from '../../forge/testing/state.ts'
import { gitlabAdapter } from '../adapter.ts'
import { FakeGitLab, gitlabToken } from './fake-gitlab.ts'

export function gitlabWorld(options: ForgeWorldOptions = {}): Promise<ForgeWorld> {
  return forgeWorld(
    {
      fakeOf: (fake) => new FakeGitLab(fake),
      optionsOf: (fake) => ({ kind: 'gitlab', ...ofShop(fake), token: () => gitlabToken }),
    },
    options,
  )
}

/** What people and faults do in any order. An objection counts always. */
export function gitlabOrders(): void {
  requestOrders({
    host: 'GitLab',
    stage: stagedFake(
      (options) => new FakeGitLab(options),
      gitlabAdapter,
      (api) => ({ kind: 'gitlab', ...placeAt(api), token: () => gitlabToken }),
    ),
    isApproved: (pull, state) => {
      const { approvals, objections } = countedReviews(pull, ({ user }) => mayWrite(state, user))
      return objections === 0 && approvals >= (state.rules?.approvals ?? 0)
    },
    seeds: 2,
  })
}
