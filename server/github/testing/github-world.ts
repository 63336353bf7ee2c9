/** A server whose queue works on a repository of the fake GitHub. */

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
import type { GitHubOptions } from '../../hosting/options.ts'
import { githubAdapter } from '../adapter.ts'
import { FakeGitHub, personalToken } from './fake-github.ts'

type GitHubWorldOptions = ForgeWorldOptions & {
  readonly auth?: GitHubOptions['auth']
}

export function githubWorld({ auth, ...options }: GitHubWorldOptions = {}): Promise<ForgeWorld> {
  const token = { kind: 'token', token: () => personalToken } as const
  return forgeWorld(
    {
      fakeOf: (fake) => new FakeGitHub(fake),
      optionsOf: (fake) => ({ kind: 'github', ...ofShop(fake), auth: auth ?? token }),
    },
    options,
  )
}

/** What people and faults do in any order. An objection counts where an approval is asked for. */
export function githubOrders(): void {
  requestOrders({
    host: 'GitHub',
    stage: stagedFake(
      (options) => new FakeGitHub(options),
      githubAdapter,
      (api) => ({
        ...{ kind: 'github', ...placeAt(api) },
        auth: { kind: 'token', token: () => personalToken },
      }),
    ),
    isApproved: (pull, state) => {
      const needed = state.rules?.approvals ?? 0
      const { approvals, objections } = countedReviews(pull, ({ user }) => mayWrite(state, user))
      return needed === 0 || (approvals >= needed && objections === 0)
    },
    others: ['reviewers'],
    seeds: 2,
  })
}
