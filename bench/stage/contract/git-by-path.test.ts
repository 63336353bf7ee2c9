/**
 * A real server plays the contract on a real repository. What its host does is held back, and told one by
 * one: so the story goes in the same order on a slow machine.
 */

import { hostedWorld } from '../../../server/hosting/testing/hosted-world.ts'
import { contractOf } from './testing/contract-of.ts'
import type { ContractHost } from './testing/contract-case.ts'
import { answersFromWithin, endedOf } from './testing/ended.ts'
import { landingsIn, untestedIn } from './testing/branch-record.ts'
import { HeldWork } from './testing/held-work.ts'
import { GitStory } from './testing/git-story.ts'
import { startFiles } from './testing/story-files.ts'

/** The server looks at the repository when the story says so. */
const pollMs = 2 ** 30

const gitByPath: ContractHost = {
  name: 'git by path',
  cannot: () => null,
  async play(contractCase) {
    const work = new HeldWork()
    const world = await hostedWorld({
      files: startFiles(contractCase.pullRequests),
      set: contractCase.queue,
      pollMs,
      hold: work.hold,
    })
    await world.repository.logUpdates()
    const story = new GitStory(contractCase, { world, work })
    await story.play()
    const broken = [
      ...answersFromWithin(story.steps),
      ...(await untestedIn(world, story.commitsOfPeople)),
    ]
    const landings = await landingsIn(world, story.commitsOfPeople)
    return { ...endedOf(story.steps), landings, broken }
  },
}

// What happens during a landing. Before, a story is decided in the mirror alone. Afterwards the host is asked
// once more: the tests of crashes do that.
//
contractOf(gitByPath, ({ happening }) => happening?.when === 'landing')
