/** A server whose queue works on a repository of the fake Gitea. */

import {
  forgeWorld,
  ofShop,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
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
