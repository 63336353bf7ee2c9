/** What came on the target branch, read from its reflog and not from what the server says. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Oid } from '../../../../server/git/git.ts'
import type { HostedWorld } from '../../../../server/hosting/testing/hosted-world.ts'
import { treesIn } from '../../testing/judge-rehearsal.ts'

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
