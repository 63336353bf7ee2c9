/** A server whose queue works on a repository of the fake Gitea. */

import {
  forgeWorld,
  ofShop,
  placeAt,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
import { requestOrders } from '../../forge/testing/request-orders.ts'
import { stagedFake } from '../../forge/testing/simulated-host.ts'
import { countedReviews } from '../../forge/testing/state.ts'
import { giteaAdapter } from '../adapter.ts'
import { FakeGitea, giteaToken } from './fake-gitea.ts'

export function giteaWorld(options: ForgeWorldOptions = {}): Promise<ForgeWorld> {
  return forgeWorld(
    {
      fakeOf: (fake) => new FakeGitea(fake),
      optionsOf: (fake) => ({ kind: 'gitea', ...ofShop(fake), token: () => giteaToken }),
    },
    options,
  )
}

/** What people and faults do in any order. Gitea counts a review by the right that its author had then. */
export function giteaOrders(): void {
  requestOrders({
    host: 'Gitea',
    stage: stagedFake(
      (options) => new FakeGitea(options),
      giteaAdapter,
      (api) => ({ kind: 'gitea', ...placeAt(api), token: () => giteaToken }),
    ),
    isApproved: (pull, { rules }) => {
      const { approvals: needed = 0, others = [] } = rules ?? {}
      const { approvals, objections } = countedReviews(pull, ({ isByWriter, commit, state }) => {
        const isStale = others.includes('stale') && state === 'APPROVED' && commit !== pull.head
        return isByWriter === true && !isStale
      })
      return approvals >= needed && !(others.includes('rejections') && objections > 0)
    },
    others: ['rejections', 'stale'],
    seeds: 2,
  })
}
