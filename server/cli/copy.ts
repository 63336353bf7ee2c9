/** `mergeyard copy`: moves the queues of a server between a data folder and a PostgreSQL. */

import { resolve } from 'node:path'
import { copyIn, copyOut } from '../postgres/copy.ts'
import { shownUrl } from '../postgres/store-fault.ts'
import { dataFolder } from '../store/data-folder.ts'
import { startFolder } from '../terminal/command.ts'
import { badUsage } from '../terminal/options.ts'
import { several } from '../terminal/text.ts'
import { answering, recordedIn, withStoreFaults } from './place.ts'

const isStore = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text)

export const main = withStoreFaults(
  answering(
    {
      command: 'copy',
      about:
        'Copy the queues, tokens and webhooks of a server from a data folder into an empty PostgreSQL, or back into\n' +
        'a new folder. Stop the servers first. The copy is read again and compared.\n\n' +
        '  mergeyard copy data postgres://mergeyard@db/mergeyard\n' +
        '  mergeyard copy postgres://mergeyard@db/mergeyard data',
      operands: ['<data>', '<postgres://...>'],
      table: {},
      more: `Webhooks and their undelivered messages are copied too. Exit codes: 0 copied, 1 not copied, 2 wrong
arguments or a store that cannot be used.
`,
    },
    async (parsed, { env }) => {
      const [from = '', to = ''] = parsed.operands
      if (isStore(from) === isStore(to)) {
        const expected = 'a data folder and a postgres:// address, in either order'
        throw badUsage('copy', 'two of one kind', expected)
      }
      const folderAt = (path: string) => dataFolder(resolve(startFolder(env), path))
      const copied = isStore(from)
        ? await copyOut(from, folderAt(to))
        : await copyIn(recordedIn('copy', folderAt(from).path).folder, to)
      const { queues, sequence } = copied
      const place = isStore(to) ? shownUrl(to) : folderAt(to).path
      const text = `${place}: ${several(queues, 'queue')}, up to entry ${sequence}\n`
      return { document: { to: place, ...copied }, text }
    },
  ),
)
