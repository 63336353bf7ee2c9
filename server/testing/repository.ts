/** A bare repository with a target branch and a branch for a change, made by git. */

import { main, makeBare, write } from '../git/testing/commits.ts'
import type { CommandTests } from '../hosting/options.ts'
import { onlyCommand } from '../runner/command-runner.ts'

/** Makes the repository at a path: `main`, and a branch `pay-twice` on top of it. */
export async function makeSmallRepository(path: string): Promise<void> {
  makeBare(path)
  await write(
    path,
    { ref: main, title: 'Begin', files: { 'shop.txt': 'open\n' } },
    {
      ref: 'refs/heads/pay-twice',
      from: main,
      title: 'Pay twice',
      files: { 'pay.txt': 'twice\n' },
    },
  )
}

/** Tests with a command, without setup and reports. */
export function testsWith(run: string): CommandTests {
  return { ...onlyCommand, kind: 'command', run }
}
