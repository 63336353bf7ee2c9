/** One story on a real repository: what people do, and when the queue receives what. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PullRequestEntry } from '../../../../sim/scenario/scenario.ts'
import { type File, filesAtStart, filesOf } from '../../repository.ts'
import { type EngineCommand, type TestRunId, isTerminal } from '../../../../engine/index.ts'
import type { Oid } from '../../../../server/git/git.ts'
import type { HostedWorld } from '../../../../server/hosting/testing/hosted-world.ts'
import { treesIn } from '../../testing/judge-rehearsal.ts'
import { wantedOf } from '../../../../server/hosting/wanted.ts'
import type { ContractCase, Action, Happening, ContractStep } from './contract.ts'

// What the pull requests of a story change.

type Texts = Readonly<Record<string, string>>

export function startFiles(entries: readonly PullRequestEntry[]): Texts {
  return textsOf(filesAtStart(entries))
}

/** The tests of the repository fail while there is a folder `broken`. */
function changedFiles(entry: PullRequestEntry, all: readonly PullRequestEntry[]): Texts {
  const broken = entry.breaks === true ? { [`broken/${entry.number}`]: 'yes\n' } : {}
  return { ...textsOf(filesOf(entry, all)), ...broken }
}

function textsOf(files: readonly File[]): Texts {
  return Object.fromEntries(files.map(({ path, text }) => [path, text]))
}

/** The answers of a real host, held until the story tells them. */
export class HeldWork {
  readonly #verdicts = new Map<TestRunId, () => void>()
  #landing: (() => void) | null = null
  #onChange: () => void = () => undefined

  /** Conflicts and refusals are told at once. */
  readonly hold = (command: EngineCommand, send: () => void): void => {
    if (command.type === 'finishTestRun') this.#verdicts.set(command.testRun, send)
    // The reconciler repeats an answer until the queue has received it.
    else if (command.type === 'finishMerge' && command.refused === null) this.#landing = send
    else send()
    this.#onChange()
  }

  /** Something has changed outside of this object: a command is durable. */
  readonly changed = (): void => this.#onChange()

  /** Settles with the next change. */
  async nextChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onChange = resolve
    })
  }

  get hasLanding(): boolean {
    return this.#landing !== null
  }

  hasVerdictOf(run: TestRunId): boolean {
    return this.#verdicts.has(run)
  }

  tellLanding(): void {
    const send = this.#landing
    this.#landing = null
    send?.()
  }

  tellVerdictOf(run: TestRunId): void {
    const send = this.#verdicts.get(run)
    this.#verdicts.delete(run)
    send?.()
  }

  /** The server is gone, and with it what it had to say. */
  forget(): void {
    this.#verdicts.clear()
    this.#landing = null
  }
}

// What came on the target branch, read from its reflog and not from what the server says.

/** The commits that people have put on the branch themselves. */
type OfPeople = ReadonlySet<Oid>

type Move = { readonly from: Oid; readonly to: Oid }

/** The pull requests of each push of the server, in order. */
export async function landingsIn(
  { repository }: HostedWorld,
  ofPeople: OfPeople,
): Promise<number[][]> {
  const format = '--format=%(trailers:key=Mergeyard-Pull,valueonly,separator=%x2C)'
  const landings: number[][] = []
  for (const { from, to } of movesIn(repository.path, ofPeople)) {
    const range = `${from}..${to}`
    const text = await repository.git(['log', '--first-parent', '--reverse', format, range])
    landings.push(text.split('\n').map(Number))
  }
  return landings
}

/** The commits that the server has put on the branch with a tree that no run has passed. */
export async function untestedIn(
  { repository, folder, server }: HostedWorld,
  ofPeople: OfPeople,
): Promise<string[]> {
  const passed = [...server.manager.registry.queues].flatMap(({ history }) =>
    [...history.testRuns.values()].flatMap(({ outcome, commit }) =>
      outcome === 'passed' && commit !== undefined ? [commit] : [],
    ),
  )
  const mirrors = join(folder, 'data', 'mirrors')
  const treesOf = treesIn(join(mirrors, readdirSync(mirrors)[0] ?? ''))
  const tested = new Set(await treesOf(passed))
  const landed = movesIn(repository.path, ofPeople).map(({ to }) => to)
  const trees = await treesOf(landed)
  return landed
    .filter((_, index) => !tested.has(trees[index] ?? ''))
    .map((oid) => `${oid} was never tested`)
}

/** The moves of the branch since it was made, without those of people. */
function movesIn(path: string, ofPeople: OfPeople): Move[] {
  const reflog = join(path, 'logs', 'refs', 'heads', 'main')
  if (!existsSync(reflog)) return []
  const lines = readFileSync(reflog, 'utf8').split('\n')
  return lines
    .map((line) => line.split(' '))
    .map(([from = '', to = '']) => ({ from, to }))
    .filter(({ from, to }) => to !== '' && !/^0+$/.test(from) && !ofPeople.has(to))
}

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
    await world.poll()
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
    if (isSeen) await this.#cast.world.poll()
  }

  async #do(action: Action): Promise<void> {
    const { world } = this.#cast
    const { repository } = world
    switch (action.do) {
      case 'pushToBranch':
        this.commitsOfPeople.add(
          await repository.commit('refs/heads/main', { 'other.txt': 'other\n' }),
        )
        break
      case 'manualMerge':
        this.commitsOfPeople.add(
          await repository.mergeByHand(await repository.oidOf(refOf(action.number))),
        )
        break
      case 'push':
        await repository.commit(
          refOf(action.number),
          { 'late.txt': 'late\n' },
          refOf(action.number),
        )
        break
      case 'close':
        await repository.remove(refOf(action.number))
        break
      case 'cancel':
        world.send({ type: 'cancelPullRequest', number: action.number, reason: 'USER_REQUESTED' })
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
