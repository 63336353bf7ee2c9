/** `mergeyard init`: writes the settings of a queue for the repository it stands in. */

import { existsSync } from 'node:fs'
import { type Kind, defaultBranch, detected, kindOf } from './detect.ts'
import { addressOfRemote, settingsPath, withStoreFaults } from './place.ts'
import { BadLines } from '../terminal/bad-input.ts'
import { commandOf, exitCodes, startFolder } from '../terminal/command.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { writeText } from '../terminal/output.ts'
import { writeResultFile } from '../terminal/result-file.ts'
import { columns } from '../terminal/text.ts'

const kinds: readonly Kind[] = ['github', 'gitea', 'gitlab']

const table = {
  'host <kind>': `${kinds.join(', ')}, or git for any other; without it the address of the remote tells`,
  'test <command>':
    'the test command; without it the workflows of the host, or what the files tell',
  'remote <name>': { help: 'the remote to merge in', default: 'origin' },
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'init',
  about: `Write a mergeyard.json for the repository of this folder, which \`serve\` and \`doctor\` then find: the
host, the default branch, how it is tested, the required checks as the host says them where a token is
set, and the label that submits a pull request.`,
  table,
  more: 'Exit codes: 0 written, 2 it cannot be, and nothing has changed.\n',
}

export const main = withStoreFaults(
  commandOf(usage, async (parsed, { stdout, env }) => {
    const here = startFolder(env)
    const path = settingsPath(here)
    if (existsSync(path)) {
      throw new BadLines([`init: ${path} is there already: change it, or remove it first`])
    }
    const remote = parsed.value('remote')
    const address = addressOfRemote(here, remote)
    if (address === null) {
      const what = `init: ${here} is in no clone with a remote ${remote}`
      throw new BadLines([`${what}: change into one, or name another with --remote`])
    }
    const asked = parsed.text('host')
    const kind = asked === null ? kindOf(address) : (kinds.find((each) => each === asked) ?? null)
    if (kind === null && asked !== null && asked !== 'git') {
      throw parsed.fault('host', `one of ${kinds.join(', ')}, git`)
    }
    const place = { kind, remote, address, branch: defaultBranch(here, remote) }
    const { queue, rows } = await detected('init', place, { path, test: parsed.text('test'), env })
    writeResultFile(path, [`${JSON.stringify({ queues: [queue] }, null, 2)}\n`])
    const more = [
      ['written', path],
      ['next', '`mergeyard doctor` says what is missing, `mergeyard serve` begins'],
    ]
    await writeText(stdout, columns([...rows, ...more]))
    return exitCodes.success
  }),
)
