/** A server whose queue works on a repository of the fake GitHub. */

import {
  forgeWorld,
  ofShop,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
import type { GitHubOptions } from '../../hosting/options.ts'
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
