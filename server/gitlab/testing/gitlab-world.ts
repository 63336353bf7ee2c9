/** A server whose queue works on a project of the fake GitLab. */

import {
  forgeWorld,
  ofShop,
  type ForgeWorld,
  type ForgeWorldOptions,
} from '../../forge/testing/forge-world.ts'
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
