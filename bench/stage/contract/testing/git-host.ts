/**
 * A real server plays a story on a real repository. What its host does is held back, and told one by
 * one: so the story goes in the same order on a slow machine.
 */

import { hostOverHttp } from '../../../../server/git/testing/http-host.ts'
import {
  hostedWorld,
  type HostedWorld,
  type WorldOptions,
} from '../../../../server/hosting/testing/hosted-world.ts'
import type { ContractHost } from './contract-case.ts'
import { answersFromWithin, endedOf } from './ended.ts'
import { landingsIn, untestedIn } from './branch-record.ts'
import { HeldWork } from './held-work.ts'
import { peopleWithGit, type People } from './people.ts'
import { GitStory } from './git-story.ts'
import { startFiles } from './story-files.ts'

/** The server looks at the repository when the story says so. */
const pollMs = 2 ** 30

type Reached = Pick<WorldOptions, 'address'> & {
  readonly name: string
  readonly peopleOf?: (world: HostedWorld) => People
}

export const gitByPath = gitHost({ name: 'git by path' })

export const gitOverHttp = gitHost({
  name: 'git over HTTP',
  address: async (folder) => (await hostOverHttp(folder)).url,
})

function gitHost({ name, address, peopleOf }: Reached): ContractHost {
  return {
    name,
    cannot: () => null,
    async play(contractCase) {
      const { pullRequests } = contractCase
      const work = new HeldWork()
      const world = await hostedWorld({
        files: startFiles(pullRequests),
        set: contractCase.queue,
        pollMs,
        hold: work.hold,
        ...(address ? { address } : {}),
      })
      await world.repository.logUpdates()
      const people = peopleOf?.(world) ?? peopleWithGit(world.repository)
      const story = new GitStory(contractCase, { world, work, people })
      await story.play()
      const broken = [
        ...answersFromWithin(story.steps),
        ...(await untestedIn(world, story.commitsOfPeople)),
      ]
      const landings = await landingsIn(world, story.commitsOfPeople)
      return { ...endedOf(story.steps), landings, broken }
    },
  }
}
