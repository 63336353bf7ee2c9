/** One story on a real repository: what people do, and when the queue hears what. */

import { isTerminal } from '../../../../engine/index.ts'
import type { Oid } from '../../../../server/git/git.ts'
import { wantedOf } from '../../../../server/hosting/wanted.ts'
import type { HostedWorld } from '../../../../server/hosting/testing/hosted-world.ts'
import type { ContractCase, Deed, Happening } from './contract-case.ts'
import type { ContractStep } from './ended.ts'
import type { HeldWork } from './held-work.ts'
import { changedFiles } from './story-files.ts'

type Cast = { readonly world: HostedWorld; readonly work: HeldWork }

/** Pull requests are the refs `refs/pull/<n>/head`, as on most code hosts. */
const refOf = (number: number): string => `refs/pull/${number}/head`

const denying = 'echo "you are not allowed to push to main" >&2; exit 1'

export class GitStory {
  readonly #case: ContractCase
  readonly #cast: Cast
  readonly steps: ContractStep[] = []
  /** What people have put on the target branch. */
  readonly commitsOfPeople = new Set<Oid>()
  #happening: Happening | null
  #isDenied = false

  constructor(contractCase: ContractCase, cast: Cast) {
    this.#case = contractCase
    this.#cast = cast
    this.#happening = contractCase.happening ?? null
  }

  /** Settles when every pull request has left the queue. */
  async play(): Promise<void> {
    const { world, work } = this.#cast
    this.#listen()
    await this.#enter()
    for (;;) {
      const next = this.#next()
      if (next) await next()
      else if (this.#isOver()) break
      else await work.nextChange()
    }
    await world.server.manager.durable()
    // What lands twice lands now.
    await world.look()
  }

  async #enter(): Promise<void> {
    const { world } = this.#cast
    const { pullRequests } = this.#case
    world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
    for (const entry of pullRequests) {
      await world.repository.commit(refOf(entry.number), changedFiles(entry, pullRequests))
    }
    for (const { number, targets } of pullRequests) {
      await world.submit(number)
      if (targets !== undefined) world.send({ type: 'setImpactedTargets', number, targets })
    }
    world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  }

  /** What is to be done now; null if the server has to work first. */
  #next(): (() => Promise<void> | void) | null {
    const { world, work } = this.#cast
    const { when } = this.#happening ?? {}
    if (work.hasLanding) return when === 'landed' ? () => this.#happen() : () => work.tellLanding()
    const queue = world.queue()
    if (this.#isDenied && queue.state === 'PAUSED') {
      return () => {
        this.#isDenied = false
        world.repository.removeHook('pre-receive')
        world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
      }
    }
    const { runs, merges } = wantedOf(queue)
    const [first] = runs.map(({ id }) => id).sort((a, b) => a - b)
    const isTested = runs.every(({ id }) => work.hasVerdictOf(id))
    if (first === undefined || !isTested || merges.length > 0) return null
    if (when === 'testing' || when === 'landing') return () => this.#happen()
    return () => work.tellVerdictOf(first)
  }

  async #happen(): Promise<void> {
    const happening = this.#happening
    this.#happening = null
    if (!happening) return
    await this.#do(happening)
    const isSeen = happening.when !== 'landing' && happening.do !== 'startAgain'
    // During a merge nobody looks: the merge itself must notice.
    if (isSeen) await this.#cast.world.look()
  }

  async #do(deed: Deed): Promise<void> {
    const { world } = this.#cast
    const { repository } = world
    switch (deed.do) {
      case 'pushToBranch':
        this.commitsOfPeople.add(
          await repository.commit('refs/heads/main', { 'other.txt': 'other\n' }),
        )
        break
      case 'manualMerge':
        this.commitsOfPeople.add(
          await repository.mergeByHand(await repository.oidOf(refOf(deed.number))),
        )
        break
      case 'push':
        await repository.commit(refOf(deed.number), { 'late.txt': 'late\n' }, refOf(deed.number))
        break
      case 'close':
        await repository.remove(refOf(deed.number))
        break
      case 'cancel':
        world.send({ type: 'cancelPullRequest', number: deed.number, reason: 'USER_REQUESTED' })
        break
      case 'startAgain':
        await this.#startAgain()
        break
      case 'deny':
        this.#isDenied = true
        repository.hook('pre-receive', denying)
    }
  }

  async #startAgain(): Promise<void> {
    const { world, work } = this.#cast
    await world.stop()
    work.forget()
    await world.start()
    this.#listen()
  }

  #listen(): void {
    const { world, work } = this.#cast
    world.server.manager.subscribe(({ command, events }) => {
      this.steps.push({ command, events })
      work.changed()
    })
  }

  #isOver(): boolean {
    const { pullRequests } = this.#cast.world.queue()
    const all = this.#case.pullRequests.map(({ number }) => pullRequests[number])
    return all.every((each) => each !== undefined && isTerminal(each.state))
  }
}
