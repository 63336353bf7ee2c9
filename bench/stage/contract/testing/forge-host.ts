/**
 * A real server plays a story on a fake code host, whose CI tests and whose webhooks say where to look. It
 * lands by push, or by the merge button.
 */

import type { Oid } from '../../../../server/git/git.ts'
import type { ForgeWorld, ForgeWorldOptions } from '../../../../server/forge/testing/forge-world.ts'
import { giteaWorld } from '../../../../server/gitea/testing/gitea-world.ts'
import { gitlabWorld } from '../../../../server/gitlab/testing/gitlab-world.ts'
import { githubWorld } from '../../../../server/github/testing/github-world.ts'
import type { ContractHost } from './contract-case.ts'
import { answersFromWithin, endedOf } from './ended.ts'
import { landingsIn, untestedIn } from './branch-record.ts'
import { GitStory } from './git-story.ts'
import { HeldWork } from './held-work.ts'
import type { People } from './people.ts'
import { startFiles } from './story-files.ts'

/** Only webhooks and the story make the server look. */
const pollMs = 2 ** 30

type Played = {
  readonly worldOf: (options: ForgeWorldOptions) => Promise<ForgeWorld>
  readonly mergeMethod: 'merge_commit' | 'squash'
  /** True: the host makes the commits itself. */
  readonly hasButton?: boolean
}

export const githubByPush = forgeHost('GitHub, by push', {
  worldOf: githubWorld,
  mergeMethod: 'merge_commit',
})

export const githubByButton = forgeHost('GitHub, by the merge button', {
  worldOf: githubWorld,
  mergeMethod: 'squash',
  hasButton: true,
})

export const gitlab = forgeHost('GitLab', { worldOf: gitlabWorld, mergeMethod: 'merge_commit' })

export const gitea = forgeHost('Gitea', { worldOf: giteaWorld, mergeMethod: 'squash' })

function forgeHost(
  name: string,
  { worldOf, mergeMethod, hasButton = false }: Played,
): ContractHost {
  return {
    name,
    cannot: () => null,
    async play(contractCase) {
      const { pullRequests, queue } = contractCase
      const work = new HeldWork()
      const world = await worldOf({
        files: startFiles(pullRequests),
        set: { ...queue, mergeMethod },
        hold: work.hold,
        webhooks: 'once',
        isAutomatic: true,
        pollMs,
      })
      const { repository } = world
      await repository.logUpdates()
      const isDuringMerge = contractCase.happening?.when === 'landing'
      const people = peopleOn(world, isDuringMerge)
      const story = new GitStory(contractCase, { world: world.queue, work, people })
      await story.play()
      const ended = endedOf(story.steps)
      const moves = await landingsIn(world.queue, story.commitsOfPeople)
      const landings = hasButton ? groupsOf(moves, ended.asked) : moves
      const untested = hasButton ? [] : await untestedIn(world.queue, story.commitsOfPeople)
      await world.fake.hooks.settled()
      const broken = [...answersFromWithin(story.steps), ...untested, ...world.fake.faults]
      return { ...ended, landings, broken }
    },
  }
}

type Groups = readonly (readonly number[])[]

/** The merge button lands one after the other: those that were asked for together are one landing. */
function groupsOf(moves: Groups, asked: Groups): number[][] {
  const landings: number[][] = []
  for (const number of moves.flat()) {
    const last = landings.at(-1)
    const isTogether = asked.some((each) => each.includes(number) && each.includes(last?.[0] ?? 0))
    if (last && isTogether) last.push(number)
    else landings.push([number])
  }
  return landings
}

const denying = `while read old new ref; do
  [ "$ref" = refs/heads/main ] || continue
  echo "error: GH006: Protected branch update failed for refs/heads/main." >&2
  exit 1
done
exit 0`

function peopleOn(world: ForgeWorld, isDuringMerge: boolean): People {
  const { repository, fake } = world
  /** During a merge nobody hears of it, and no look is under way that could see it. */
  const quietly = async (deed: () => Promise<Oid>): Promise<Oid> => {
    if (!isDuringMerge) return deed()
    await fake.hooks.settled()
    // The first one waits for a pass, after which another one may follow.
    for (const _ of [1, 2]) await world.queue.look()
    fake.hooks.plan = 'missing'
    const commit = await deed()
    fake.hooks.plan = 'once'
    return commit
  }
  return {
    async open(number, files) {
      await world.open(number, files)
    },
    async push(number) {
      await quietly(() => world.push(number, { 'late.txt': 'late\n' }))
      await fake.hooks.settled()
    },
    async close(number) {
      world.change(number, { state: 'closed' })
      await fake.hooks.settled()
    },
    async mergeByHand(number) {
      const commit = await repository.mergeByHand(world.pull(number).head)
      await fake.pushed()
      await fake.hooks.settled()
      return commit
    },
    async pushToBranch() {
      return quietly(() => repository.commit('refs/heads/main', { 'other.txt': 'other\n' }))
    },
    deny: () => {
      repository.hook('pre-receive', denying)
      fake.state.isButtonDenied = true
    },
    allow: () => {
      repository.removeHook('pre-receive')
      fake.state.isButtonDenied = false
    },
  }
}
