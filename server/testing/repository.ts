/** A bare repository with a target branch and a branch for a change, made by git. */

import { git } from '../git/git.ts'
import type { CommandTests } from '../hosting/options.ts'
import { onlyCommand } from '../runner/command-runner.ts'

const who = 'Ada <ada@example.com> 1767603600 +0000'

/** Makes the repository at a path: `main`, and a branch `pay-twice` on top of it. */
export async function makeSmallRepository(path: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', path])
  const input = [
    `commit refs/heads/main\nmark :1\nauthor ${who}\ncommitter ${who}\ndata 5\nBegin\n`,
    'M 100644 inline shop.txt\ndata 5\nopen\n\n',
    `commit refs/heads/pay-twice\nauthor ${who}\ncommitter ${who}\ndata 9\nPay twice\nfrom :1\n`,
    'M 100644 inline pay.txt\ndata 6\ntwice\n\n',
  ].join('')
  await git(['--git-dir', path, 'fast-import', '--quiet'], { input })
}

/** Tests with a command, without setup and reports. */
export function testsWith(run: string): CommandTests {
  return { ...onlyCommand, kind: 'command', run }
}
