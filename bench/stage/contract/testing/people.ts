/** What people do to a repository while a server works on it. */

import type { Oid } from '../../../../server/git/git.ts'
import type { TestRepository } from '../../../../server/hosting/testing/test-repository.ts'

export type People = {
  /** Opens a pull request with these files, by path. */
  open(number: number, files: Readonly<Record<string, string>>): Promise<void>
  push(number: number): Promise<void>
  close(number: number): Promise<void>
  /** Both return the commit on which the branch is then. */
  mergeByHand(number: number): Promise<Oid>
  pushToBranch(): Promise<Oid>
  /** Nobody may push to the branch, until `allow`. */
  deny(): void
  allow(): void
}

/** Pull requests are the refs `refs/pull/<n>/head`, as on most code hosts. */
export function peopleWithGit(repository: TestRepository): People {
  const ref = (number: number): string => `refs/pull/${number}/head`
  return {
    async open(number, files) {
      await repository.commit(ref(number), files)
    },
    async push(number) {
      await repository.commit(ref(number), { 'late.txt': 'late\n' }, ref(number))
    },
    close: (number) => repository.remove(ref(number)),
    mergeByHand: async (number) => repository.mergeByHand(await repository.oidOf(ref(number))),
    pushToBranch: () => repository.commit('refs/heads/main', { 'other.txt': 'other\n' }),
    deny: () =>
      repository.hook('pre-receive', 'echo "you are not allowed to push to main" >&2; exit 1'),
    allow: () => repository.removeHook('pre-receive'),
  }
}
